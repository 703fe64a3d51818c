"""Boards, rules and notation of chess and of variants defined by files."""
