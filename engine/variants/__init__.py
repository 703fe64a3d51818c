"""Boards, rules and notation of chess and of games by definition."""
