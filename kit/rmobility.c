/* R-Mobility for match runners, in one C99 file without dependencies.
 *
 * Copyright (c) 2026 the Standstill developers
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
#include "rmobility.h"

#include <stdlib.h>
#include <string.h>

#ifndef RM_NO_FILES /* defined: tables come only from rm_add_file, and stdio.h is not needed */
#include <stdio.h>
#endif

typedef uint64_t Bits;

#define BIT(sq) ((Bits)1 << (sq))
#define FILE_A 0x0101010101010101ULL
#define NOT_A (~FILE_A)
#define NOT_H (~(FILE_A << 7))
#define RANK(n) (0xFFULL << 8 * (n))
#define CLOCK_LIMIT 100

#if defined(__GNUC__)
#define COUNT(b) __builtin_popcountll(b)
#define FIRST(b) __builtin_ctzll(b)
#define SWAP(b) __builtin_bswap64(b)
#else
static int COUNT(Bits b) {
    int n = 0;
    for (; b; b &= b - 1) n++;
    return n;
}
static int FIRST(Bits b) { return COUNT((b & (~b + 1)) - 1); }
static Bits SWAP(Bits b) {
    b = (b >> 8 & 0x00FF00FF00FF00FFULL) | (b & 0x00FF00FF00FF00FFULL) << 8;
    b = (b >> 16 & 0x0000FFFF0000FFFFULL) | (b & 0x0000FFFF0000FFFFULL) << 16;
    return b >> 32 | b << 32;
}
#endif

/* ---- attacks ---- */

enum { ON_FILE, DIAGONAL, ANTIDIAGONAL };

static Bits knight_attacks[64], king_attacks[64], pawn_attacks[2][64];
static Bits lines[3][64];           /* without the square itself */
static uint8_t rank_attacks[64][8]; /* index: the six inner squares, the file */
static Bits between[64][64], whole_line[64][64];
static int is_ready;

static Bits stepped(int sq, int files, int ranks) {
    int file = (sq & 7) + files, rank = (sq >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : BIT(8 * rank + file);
}

static Bits ray(int sq, int files, int ranks, Bits occupied) {
    Bits found = 0, next = stepped(sq, files, ranks);
    while (next) {
        found |= next;
        if (next & occupied) break;
        next = stepped(FIRST(next), files, ranks);
    }
    return found;
}

static void fill_lines(int sq) {
    static const int ways[4][2] = {{0, 1}, {1, 1}, {-1, 1}, {1, 0}};
    for (int way = 0; way < 4; way++) {
        int files = ways[way][0], ranks = ways[way][1];
        Bits line = ray(sq, files, ranks, 0) | ray(sq, -files, -ranks, 0);
        if (way < 3) lines[way][sq] = line;
        for (Bits rest = line; rest; rest &= rest - 1) {
            int other = FIRST(rest);
            int sign = other > sq ? 1 : -1;
            between[sq][other] = ray(sq, sign * files, sign * ranks, BIT(other)) & ~BIT(other);
            whole_line[sq][other] = line | BIT(sq);
        }
    }
}

static int king_pairs[64][64]; /* numbers in tables of classes without pawns; -1 for mirror images and illegal pairs */

static int is_above(int sq) { return sq >> 3 > (sq & 7); }

static void number_king_pairs(void) {
    int n = 0;
    for (int white = 0; white < 64; white++)
        for (int black = 0; black < 64; black++) {
            king_pairs[white][black] = -1;
            if ((white & 7) > 3 || white >> 3 > 3 || is_above(white) || black == white || king_attacks[white] & BIT(black)) continue;
            if (white >> 3 != (white & 7) || !is_above(black)) king_pairs[white][black] = n++;
        }
}

void rm_init(void) {
    static const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    if (is_ready) return;
    for (int sq = 0; sq < 64; sq++) {
        for (int i = 0; i < 8; i++) knight_attacks[sq] |= stepped(sq, jumps[i][0], jumps[i][1]);
        for (int files = -1; files <= 1; files++)
            for (int ranks = -1; ranks <= 1; ranks++)
                if (files || ranks) king_attacks[sq] |= stepped(sq, files, ranks);
        pawn_attacks[RM_WHITE][sq] = stepped(sq, -1, 1) | stepped(sq, 1, 1);
        pawn_attacks[RM_BLACK][sq] = stepped(sq, -1, -1) | stepped(sq, 1, -1);
        fill_lines(sq);
    }
    for (int inner = 0; inner < 64; inner++)
        for (int file = 0; file < 8; file++) {
            Bits occupied = (Bits)inner << 1;
            rank_attacks[inner][file] = (uint8_t)(ray(file, 1, 0, occupied) | ray(file, -1, 0, occupied));
        }
    number_king_pairs();
    is_ready = 1;
}

/* Squares attacked along a line: subtraction finds the first piece on each side (hyperbola quintessence). */
static Bits along(int way, int sq, Bits occupied) {
    Bits mask = lines[way][sq], ahead = occupied & mask, behind = SWAP(ahead);
    return ((ahead - BIT(sq)) ^ SWAP(behind - BIT(sq ^ 56))) & mask;
}

static Bits bishop_attacks(int sq, Bits occupied) {
    return along(DIAGONAL, sq, occupied) | along(ANTIDIAGONAL, sq, occupied);
}

static Bits rook_attacks(int sq, Bits occupied) {
    int shift = sq & 56;
    return along(ON_FILE, sq, occupied) | (Bits)rank_attacks[occupied >> (shift + 1) & 63][sq & 7] << shift;
}

/* Pieces of one side that attack a square. */
static Bits attackers(const RmPosition *p, int side, int sq, Bits occupied) {
    const Bits *kind = p->kind;
    return p->colour[side] & ((pawn_attacks[side ^ 1][sq] & kind[RM_PAWN]) | (knight_attacks[sq] & kind[RM_KNIGHT]) |
                              (king_attacks[sq] & kind[RM_KING]) |
                              (bishop_attacks(sq, occupied) & (kind[RM_BISHOP] | kind[RM_QUEEN])) |
                              (rook_attacks(sq, occupied) & (kind[RM_ROOK] | kind[RM_QUEEN])));
}

static int king_of(const RmPosition *p, int side) { return FIRST(p->colour[side] & p->kind[RM_KING]); }

/* ---- counting legal moves ---- */

static int kind_on(const RmPosition *p, int sq) {
    int kind = RM_PAWN;
    while (kind < RM_KING && !(p->kind[kind] & BIT(sq))) kind++;
    return kind;
}

static int ep_is_legal(const RmPosition *p, int from) {
    int us = p->side, taken = p->ep ^ 8;
    RmPosition after = *p;
    after.colour[us ^ 1] &= ~BIT(taken);
    Bits occupied = (p->colour[0] | p->colour[1] | BIT(p->ep)) & ~BIT(from) & ~BIT(taken);
    return !attackers(&after, us ^ 1, king_of(p, us), occupied);
}

/* Whether the king, which is not in check, may castle with the rook on this square. */
static int castling_is_legal(const RmPosition *p, int rook) {
    int us = p->side, king = king_of(p, us), first = king & 56;
    int king_to = first + (rook > king ? 6 : 2), rook_to = first + (rook > king ? 5 : 3);
    Bits path = between[king][king_to] | BIT(king_to), rooks_path = between[rook][rook_to] | BIT(rook_to);
    Bits occupied = (p->colour[0] | p->colour[1]) & ~BIT(king) & ~BIT(rook);
    if (occupied & (path | rooks_path)) return 0;
    for (Bits rest = path & ~BIT(king); rest; rest &= rest - 1)
        if (attackers(p, us ^ 1, FIRST(rest), occupied | (FIRST(rest) == king_to ? BIT(rook_to) : BIT(rook)))) return 0;
    return king_to != king || !attackers(p, us ^ 1, king_to, occupied | BIT(rook_to));
}

/* Squares that the king must not enter; attacks along lines continue through the king. */
static Bits danger(const RmPosition *p) {
    int them = p->side ^ 1;
    Bits enemy = p->colour[them], found = king_attacks[king_of(p, them)], pawns = enemy & p->kind[RM_PAWN];
    Bits occupied = (p->colour[0] | p->colour[1]) & ~(p->colour[p->side] & p->kind[RM_KING]);
    found |= them == RM_WHITE ? (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7 : (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9;
    for (Bits rest = enemy & p->kind[RM_KNIGHT]; rest; rest &= rest - 1) found |= knight_attacks[FIRST(rest)];
    for (Bits rest = enemy & (p->kind[RM_BISHOP] | p->kind[RM_QUEEN]); rest; rest &= rest - 1)
        found |= bishop_attacks(FIRST(rest), occupied);
    for (Bits rest = enemy & (p->kind[RM_ROOK] | p->kind[RM_QUEEN]); rest; rest &= rest - 1)
        found |= rook_attacks(FIRST(rest), occupied);
    return found;
}

static Bits pinned_men(const RmPosition *p, int king) {
    int us = p->side;
    Bits enemy = p->colour[us ^ 1], occupied = p->colour[0] | p->colour[1], found = 0;
    Bits snipers = enemy & ((bishop_attacks(king, enemy) & (p->kind[RM_BISHOP] | p->kind[RM_QUEEN])) |
                            (rook_attacks(king, enemy) & (p->kind[RM_ROOK] | p->kind[RM_QUEEN])));
    for (; snipers; snipers &= snipers - 1) {
        Bits blockers = between[king][FIRST(snipers)] & occupied;
        if (blockers && !(blockers & (blockers - 1))) found |= blockers & p->colour[us];
    }
    return found;
}

static int with_promotions(Bits targets) { return COUNT(targets) + 3 * COUNT(targets & (RANK(0) | RANK(7))); }

/* Moves of these pawns, except captures en passant. */
static int count_pawns(const RmPosition *p, Bits pawns, Bits mask) {
    Bits empty = ~(p->colour[0] | p->colour[1]), enemy = p->colour[p->side ^ 1] & mask;
    Bits once, twice, east, west;
    if (p->side == RM_WHITE) {
        once = pawns << 8 & empty;
        twice = (once & RANK(2)) << 8 & empty;
        east = (pawns & NOT_H) << 9 & enemy;
        west = (pawns & NOT_A) << 7 & enemy;
    } else {
        once = pawns >> 8 & empty;
        twice = (once & RANK(5)) >> 8 & empty;
        east = (pawns & NOT_H) >> 7 & enemy;
        west = (pawns & NOT_A) >> 9 & enemy;
    }
    return with_promotions(once & mask) + COUNT(twice & mask) + with_promotions(east) + with_promotions(west);
}

static int count_pieces(const RmPosition *p, Bits mask, Bits pinned, int king) {
    Bits own = p->colour[p->side], occupied = p->colour[0] | p->colour[1];
    int n = 0;
    mask &= ~own;
    for (Bits rest = own & p->kind[RM_KNIGHT] & ~pinned; rest; rest &= rest - 1) n += COUNT(knight_attacks[FIRST(rest)] & mask);
    for (Bits rest = own & (p->kind[RM_BISHOP] | p->kind[RM_QUEEN]); rest; rest &= rest - 1) {
        int sq = FIRST(rest);
        n += COUNT(bishop_attacks(sq, occupied) & mask & (pinned & BIT(sq) ? whole_line[king][sq] : ~(Bits)0));
    }
    for (Bits rest = own & (p->kind[RM_ROOK] | p->kind[RM_QUEEN]); rest; rest &= rest - 1) {
        int sq = FIRST(rest);
        n += COUNT(rook_attacks(sq, occupied) & mask & (pinned & BIT(sq) ? whole_line[king][sq] : ~(Bits)0));
    }
    return n;
}

int rm_goal(const RmPosition *p) {
    int us = p->side, king = king_of(p, us), n;
    Bits own = p->colour[us], occupied = p->colour[0] | p->colour[1], mask = ~(Bits)0;
    Bits checkers = attackers(p, us ^ 1, king, occupied);
    n = COUNT(king_attacks[king] & ~own & ~danger(p));
    if (checkers & (checkers - 1)) return 2 * n;
    if (checkers) mask = checkers | between[king][FIRST(checkers)];
    Bits pinned = pinned_men(p, king), pawns = own & p->kind[RM_PAWN];
    n += count_pieces(p, mask, pinned, king) + count_pawns(p, pawns & ~pinned, mask);
    for (Bits rest = pawns & pinned; rest; rest &= rest - 1)
        n += count_pawns(p, rest & (~rest + 1), mask & whole_line[king][FIRST(rest)]);
    if (p->ep != RM_NONE)
        for (Bits rest = pawns & pawn_attacks[us ^ 1][p->ep]; rest; rest &= rest - 1) n += ep_is_legal(p, FIRST(rest));
    if (!checkers)
        for (Bits rest = p->castling & own; rest; rest &= rest - 1) n += castling_is_legal(p, FIRST(rest));
    return 2 * n + !checkers;
}

/* ---- moves ---- */

static void relocate(RmPosition *p, int side, int kind, int from, int to) {
    p->colour[side] = (p->colour[side] & ~BIT(from)) | BIT(to);
    p->kind[kind] = (p->kind[kind] & ~BIT(from)) | BIT(to);
}

static void drop(RmPosition *p, int sq) {
    Bits rest = ~BIT(sq);
    p->colour[0] &= rest;
    p->colour[1] &= rest;
    for (int kind = RM_PAWN; kind <= RM_KING; kind++) p->kind[kind] &= rest;
}

static void castle(RmPosition *p, int king, int rook) {
    int us = p->side, first = king & 56, is_short = rook > king;
    drop(p, king);
    drop(p, rook);
    p->colour[us] |= BIT(first + (is_short ? 6 : 2)) | BIT(first + (is_short ? 5 : 3));
    p->kind[RM_KING] |= BIT(first + (is_short ? 6 : 2));
    p->kind[RM_ROOK] |= BIT(first + (is_short ? 5 : 3));
    p->castling &= ~(RANK(0) << (us == RM_WHITE ? 0 : 56));
}

/* Keep the en passant square only if a capture on it is legal, so that equal positions compare equal. */
static void keep_legal_ep(RmPosition *p) {
    if (p->ep == RM_NONE) return;
    Bits rest = p->colour[p->side] & p->kind[RM_PAWN] & pawn_attacks[p->side ^ 1][p->ep];
    for (; rest; rest &= rest - 1)
        if (ep_is_legal(p, FIRST(rest))) return;
    p->ep = RM_NONE;
}

void rm_make(RmPosition *p, RmMove move) {
    int us = p->side, kind = kind_on(p, move.from), ep = p->ep;
    Bits to = BIT(move.to);
    p->ep = RM_NONE;
    p->clock++;
    if (kind == RM_KING && (p->castling & p->colour[us] & to)) {
        castle(p, move.from, move.to);
    } else {
        if (p->colour[us ^ 1] & to) {
            drop(p, move.to);
            p->clock = 0;
        }
        relocate(p, us, kind, move.from, move.to);
        p->castling &= ~(BIT(move.from) | to);
        if (kind == RM_KING) p->castling &= ~(RANK(0) << (us == RM_WHITE ? 0 : 56));
        if (kind == RM_PAWN) {
            p->clock = 0;
            if (move.to == ep) drop(p, ep ^ 8);
            if ((move.from ^ move.to) == 16) p->ep = (move.from + move.to) / 2;
            if (move.promotion) {
                p->kind[RM_PAWN] &= ~to;
                p->kind[move.promotion] |= to;
            }
        }
    }
    p->side ^= 1;
    keep_legal_ep(p);
}

static Bits targets_of(const RmPosition *p, int from) {
    int us = p->side, kind = kind_on(p, from);
    Bits occupied = p->colour[0] | p->colour[1], own = p->colour[us];
    if (kind == RM_KNIGHT) return knight_attacks[from] & ~own;
    if (kind == RM_KING) return king_attacks[from] & ~own;
    if (kind != RM_PAWN)
        return ~own & ((kind != RM_ROOK ? bishop_attacks(from, occupied) : 0) | (kind != RM_BISHOP ? rook_attacks(from, occupied) : 0));
    Bits ahead = (us == RM_WHITE ? BIT(from) << 8 : BIT(from) >> 8) & ~occupied;
    Bits twice = us == RM_WHITE ? (ahead & RANK(2)) << 8 : (ahead & RANK(5)) >> 8;
    Bits taken = p->colour[us ^ 1] | (p->ep != RM_NONE ? BIT(p->ep) : 0);
    return ahead | (twice & ~occupied) | (pawn_attacks[us][from] & taken);
}

static int leaves_king_safe(const RmPosition *p, RmMove move) {
    RmPosition after = *p;
    rm_make(&after, move);
    return !attackers(&after, after.side, king_of(&after, p->side), after.colour[0] | after.colour[1]);
}

int rm_moves(const RmPosition *p, RmMove *moves) {
    int us = p->side, n = 0, king = king_of(p, us);
    for (Bits men = p->colour[us]; men; men &= men - 1) {
        int from = FIRST(men), is_pawn = (p->kind[RM_PAWN] & BIT(from)) != 0;
        for (Bits rest = targets_of(p, from); rest; rest &= rest - 1) {
            int to = FIRST(rest), promotes = is_pawn && (BIT(to) & (RANK(0) | RANK(7)));
            RmMove move = {(uint8_t)from, (uint8_t)to, (uint8_t)(promotes ? RM_QUEEN : 0)};
            if (!leaves_king_safe(p, move)) continue;
            moves[n++] = move;
            for (int kind = RM_ROOK; promotes && kind >= RM_KNIGHT; kind--) {
                move.promotion = (uint8_t)kind;
                moves[n++] = move;
            }
        }
    }
    if (!attackers(p, us ^ 1, king, p->colour[0] | p->colour[1]))
        for (Bits rest = p->castling & p->colour[us]; rest; rest &= rest - 1)
            if (castling_is_legal(p, FIRST(rest))) {
                RmMove move = {(uint8_t)king, (uint8_t)FIRST(rest), 0};
                moves[n++] = move;
            }
    return n;
}

int rm_find(const RmPosition *p, const char *text, RmMove *move) {
    static const char letters[] = "pnbrq";
    RmMove moves[RM_MOST_MOVES];
    int n = rm_moves(p, moves);
    for (int i = 0; i < 4; i++)
        if (i % 2 ? text[i] < '1' || text[i] > '8' : text[i] < 'a' || text[i] > 'h') return 0;
    const char *letter = text[4] ? strchr(letters, text[4] | 32) : letters;
    if (!letter || !*letter || (text[4] && (text[5] || letter == letters))) return 0;
    int from = text[0] - 'a' + 8 * (text[1] - '1'), to = text[2] - 'a' + 8 * (text[3] - '1');
    int promotion = (int)(letter - letters);
    for (int i = 0; i < n; i++) {
        *move = moves[i];
        if (move->from == from && move->to == to && move->promotion == promotion) return 1;
    }
    /* Castling written as e1g1: the king moves two files, and not onto the rook. */
    if (promotion || kind_on(p, from) != RM_KING || (from - to != 2 && to - from != 2)) return 0;
    for (int i = 0; i < n; i++) {
        *move = moves[i];
        if (move->from == from && (p->castling & p->colour[p->side] & BIT(move->to)) && (move->to > from) == (to > from) &&
            to == (from & 56) + (move->to > from ? 6 : 2))
            return 1;
    }
    return 0;
}

int rm_is_dead(const RmPosition *p) {
    const Bits dark = 0xAA55AA55AA55AA55ULL;
    Bits bishops = p->kind[RM_BISHOP], knights = p->kind[RM_KNIGHT];
    if (p->kind[RM_PAWN] | p->kind[RM_ROOK] | p->kind[RM_QUEEN]) return 0;
    if (COUNT(bishops | knights) <= 1) return 1;
    return !knights && (!(bishops & dark) || !(bishops & ~dark));
}

/* ---- text ---- */

char *rm_goal_text(int code, int owner, char *text) {
    char *at = text;
    int unit = 1;
    while (code / 2 / unit > 9) unit *= 10;
    if (owner == RM_BLACK) *at++ = '-';
    for (*at++ = 'G'; unit; unit /= 10) *at++ = (char)('0' + code / 2 / unit % 10);
    strcpy(at, code % 2 ? ".5" : ".0");
    return text;
}

int rm_parse_goal(const char *text, int *code, int *owner) {
    int whole = 0, digits = 0;
    *owner = RM_WHITE;
    if (*text == '-' || *text == '+') *owner = *text++ == '-' ? RM_BLACK : RM_WHITE;
    else if (!strncmp(text, "\xe2\x88\x92", 3) || !strncmp(text, "\xe2\x80\x93", 3)) { /* minus and dash in UTF-8 */
        *owner = RM_BLACK;
        text += 3;
    }
    if (*text != 'G' && *text != 'g') return 0;
    for (text++; *text >= '0' && *text <= '9' && digits < 4; digits++) whole = 10 * whole + *text++ - '0';
    *code = 2 * whole;
    if (!digits) return 0;
    if (!*text) return 1;
    *code += text[0] == '.' && text[1] == '5';
    return text[0] == '.' && (text[1] == '0' || text[1] == '5') && !text[2];
}

static const char *set_men(RmPosition *p, const char *text) {
    static const char letters[] = "PNBRQK";
    int file = 0, rank = 7;
    for (; *text && *text != ' '; text++) {
        char upper = (char)(*text & ~32);
        const char *letter = strchr(letters, upper);
        if (*text == '/') {
            if (file != 8 || !rank) return "eight squares in each of eight rows";
            file = 0;
            rank--;
        } else if (*text >= '1' && *text <= '8') {
            file += *text - '0';
        } else if (letter && *letter && file < 8) {
            p->kind[letter - letters] |= BIT(8 * rank + file);
            p->colour[*text == upper ? RM_WHITE : RM_BLACK] |= BIT(8 * rank + file);
            file++;
        } else {
            return "pieces and numbers of empty squares";
        }
        if (file > 8) return "eight squares in each of eight rows";
    }
    return file == 8 && !rank ? NULL : "eight squares in each of eight rows";
}

static const char *set_castling(RmPosition *p, const char *text) {
    if (!strcmp(text, "-")) return NULL;
    for (; *text; text++) {
        char lower = (char)(*text | 32);
        int side = *text == lower ? RM_BLACK : RM_WHITE, first = side == RM_WHITE ? 0 : 56, king = king_of(p, side);
        Bits rooks = p->colour[side] & p->kind[RM_ROOK] & (RANK(0) << first);
        Bits beyond = king == first + 7 ? 0 : ~(Bits)0 << (king + 1);
        if ((king & 56) != first) return "castling rights only with the king on its first rank";
        if (lower == 'k') rooks &= beyond;
        else if (lower == 'q') rooks &= BIT(king) - 1;
        else if (lower >= 'a' && lower <= 'h') rooks &= BIT(first + lower - 'a');
        else return "castling rights such as KQkq, HAha or -";
        if (!rooks) return "a rook for each castling right";
        /* The outermost rook: the last one beyond the king, or the first one before it. */
        while (lower == 'k' && (rooks & (rooks - 1))) rooks &= rooks - 1;
        p->castling |= BIT(FIRST(rooks));
    }
    return NULL;
}

static const char *set_ep(RmPosition *p, const char *text) {
    if (!strcmp(text, "-")) return NULL;
    if (text[0] < 'a' || text[0] > 'h' || text[1] != (p->side == RM_WHITE ? '6' : '3') || text[2])
        return "an en passant square behind a pawn that has just moved";
    p->ep = text[0] - 'a' + 8 * (text[1] - '1');
    Bits ahead = BIT(p->ep ^ 8), behind = p->side == RM_WHITE ? BIT(p->ep) << 8 : BIT(p->ep) >> 8;
    if (!(p->colour[p->side ^ 1] & p->kind[RM_PAWN] & ahead) || ((p->colour[0] | p->colour[1]) & (BIT(p->ep) | behind)))
        p->ep = RM_NONE; /* other programs also ignore an impossible square */
    keep_legal_ep(p);
    return NULL;
}

static const char *check_kings(const RmPosition *p) {
    for (int side = 0; side < 2; side++)
        if (COUNT(p->colour[side] & p->kind[RM_KING]) != 1) return "one king of each side";
    if (p->kind[RM_PAWN] & (RANK(0) | RANK(7))) return "no pawn on the first and last rank";
    if (attackers(p, p->side, king_of(p, p->side ^ 1), p->colour[0] | p->colour[1]))
        return "the side that has moved not in check";
    return NULL;
}

/* Terminate the next word of a text and return it; NULL after the last word. */
static char *next_word(char **text) {
    char *word = *text + strspn(*text, " \t\r\n");
    *text = word + strcspn(word, " \t\r\n");
    if (**text) *(*text)++ = 0;
    return *word ? word : NULL;
}

const char *rm_set_fen(RmPosition *position, const char *fen, RmRecord *record) {
    char copy[200], *rest = copy, *fields[8];
    int n = 0;
    RmPosition p;
    const char *wrong;
    rm_init();
    if (strlen(fen) >= sizeof copy) return "a FEN of at most 199 characters";
    strcpy(copy, fen);
    for (char *word = next_word(&rest); word && n < 8; word = next_word(&rest)) fields[n++] = word;
    memset(&p, 0, sizeof p);
    p.ep = RM_NONE;
    if (n < 4 || n > 7) return "four to seven fields of a FEN";
    RmRecord found = {-1, 0, 0};
    if (n > 4 && rm_parse_goal(fields[n - 1], &found.code, &found.owner)) n--;
    else if (n == 7) return "a record such as -G8.5 as the last field";
    else found.code = -1;
    if (found.code == 0 || found.code == 1) return "a record that leaves the game open";
    if ((wrong = set_men(&p, fields[0]))) return wrong;
    if (strcmp(fields[1], "w") && strcmp(fields[1], "b")) return "w or b as the side to move";
    p.side = fields[1][0] == 'b';
    if ((wrong = check_kings(&p)) || (wrong = set_castling(&p, fields[2])) || (wrong = set_ep(&p, fields[3]))) return wrong;
    if (n > 4) {
        for (char *digit = fields[4]; *digit; digit++)
            if (*digit < '0' || *digit > '9' || digit - fields[4] > 3) return "a half-move clock from 0 to 9999";
        p.clock = atoi(fields[4]);
    }
    *position = p;
    if (record) *record = found;
    return NULL;
}

/* ---- games ---- */

RmRules rm_rules(void) {
    RmRules usual = {RM_FIDE, 0, 0, RM_NO_LIMIT, 0};
    return usual;
}

static RmRecord record_of(int code, int owner, int ply) {
    RmRecord found = {code, owner, ply};
    return found;
}

const char *rm_start(RmGame *game, const char *fen, const RmRecord *given, RmRules rules) {
    RmRecord written;
    memset(game, 0, sizeof *game);
    const char *wrong = rm_set_fen(&game->position, fen, &written);
    if (wrong) return wrong;
    if (!given && written.code >= 0) given = &written;
    game->rules = rules;
    game->clock = game->position.clock;
    game->lowest = record_of(rm_goal(&game->position), game->position.side ^ 1, 0);
    if (given && given->code <= game->lowest.code) game->lowest = record_of(given->code, given->owner, 0);
    return NULL;
}

void rm_close(RmGame *game) {
    free(game->past);
    memset(game, 0, sizeof *game);
}

static int same_position(const RmPosition *a, const RmPosition *b) {
    return a->side == b->side && a->ep == b->ep && a->castling == b->castling && a->colour[0] == b->colour[0] &&
           !memcmp(a->kind, b->kind, sizeof a->kind);
}

static int remember(RmGame *game) {
    if (game->n_past == game->room) {
        size_t room = game->room ? 2 * game->room : 64;
        RmPosition *past = (RmPosition *)realloc(game->past, room * sizeof *past);
        if (!past) return 0;
        game->past = past;
        game->room = room;
    }
    game->past[game->n_past++] = game->position;
    return 1;
}

static void count_goal(RmGame *game) {
    const RmRules *rules = &game->rules;
    int is_reset = game->position.clock == 0;
    RmRecord goal = {rm_goal(&game->position), game->position.side ^ 1, game->ply};
    game->clock = is_reset ? 0 : game->clock + 1;
    if (is_reset && !rules->whole_game) {
        game->lowest = goal;
    } else if (goal.code < game->lowest.code && goal.code <= rules->limit) {
        /* In a position that ends the game by the 50-move rule only mate and stalemate set a record. */
        if (rules->fifty == RM_FIDE && !rules->keep_trigger && game->clock >= CLOCK_LIMIT && goal.code > 1) {
            game->waiting = goal;
            game->is_waiting = 1;
            return;
        }
        game->lowest = goal;
        if (rules->fifty == RM_RECORD) game->clock = 0;
    }
}

int rm_push(RmGame *game, const char *text) {
    RmMove move;
    if (!rm_find(&game->position, text, &move)) return 0;
    if (!remember(game)) return -1;
    game->ply++;
    if (game->is_waiting) { /* the game went on, so the goal counts */
        game->lowest = game->waiting;
        game->is_waiting = 0;
    }
    rm_make(&game->position, move);
    if (game->position.clock == 0) game->n_past = 0;
    count_goal(game);
    return 1;
}

RmEnd rm_end(const RmGame *game) {
    int code = rm_goal(&game->position), seen = 1;
    if (code <= 1) return code ? RM_STALEMATE : RM_MATE;
    for (size_t i = 0; i < game->n_past; i++) seen += same_position(&game->past[i], &game->position);
    if (seen >= 3) return RM_REPETITION;
    if (game->rules.fifty != RM_OFF && game->clock >= CLOCK_LIMIT) return RM_FIFTY_MOVES;
    return game->rules.dead_draw && rm_is_dead(&game->position) ? RM_DEAD : RM_ONGOING;
}

int rm_record(const RmGame *game, RmRecord *record) {
    *record = game->lowest;
    return game->lowest.code <= game->rules.limit;
}

/* ---- komi and points ---- */

int rm_parse_komi(const char *text, int *quarters, int *side) {
    int whole = 0, digits = 0;
    *side = RM_WHITE;
    if (*text == '-' || *text == '+') *side = *text++ == '-' ? RM_BLACK : RM_WHITE;
    if (*text != 'G' && *text != 'g') return 0;
    for (text++; *text >= '0' && *text <= '9' && digits < 3; digits++) whole = 10 * whole + *text++ - '0';
    static const char *const parts[] = {"", ".0", ".00", ".25", ".5", ".50", ".75"};
    static const int values[] = {0, 0, 0, 1, 2, 2, 3};
    for (int i = 0; digits && i < 7; i++)
        if (!strcmp(text, parts[i])) {
            *quarters = 4 * whole + values[i];
            return 1;
        }
    return 0;
}

RmResult rm_by_komi(const RmRecord *record, int quarters, int side, int cut_off) {
    if (cut_off != RM_NO_LIMIT && (!record || record->code >= cut_off)) return RM_DRAWN;
    int is_own = record && record->owner == side;
    if (is_own && 2 * record->code == quarters) return RM_DRAWN;
    int winner = is_own && 2 * record->code < quarters ? side : side ^ 1;
    return winner == RM_WHITE ? RM_WHITE_WINS : RM_BLACK_WINS;
}

double rm_points(int code) {
    double share = 0.5;
    for (int i = 0; i < code && share > 0; i++) share /= 2;
    return 0.5 + share;
}

/* ---- unpacking: raw deflate (RFC 1951), and CRC-32 ---- */

typedef struct {
    const uint8_t *in, *end;
    uint8_t *out, *out_start, *out_end;
    uint32_t bits;
    int n_bits, failed;
} Stream;

typedef struct {
    uint16_t count[16], symbol[288];
} Codes;

static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t crc = ~0U;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
    }
    return ~crc;
}

static int take_bits(Stream *s, int n) {
    while (s->n_bits < n) {
        if (s->in == s->end) {
            s->failed = 1;
            return 0;
        }
        s->bits |= (uint32_t)*s->in++ << s->n_bits;
        s->n_bits += 8;
    }
    int value = (int)(s->bits & ((1U << n) - 1));
    s->bits >>= n;
    s->n_bits -= n;
    return value;
}

static void build(Codes *codes, const uint8_t *lengths, int n) {
    uint16_t place[16] = {0};
    memset(codes->count, 0, sizeof codes->count);
    for (int i = 0; i < n; i++) codes->count[lengths[i]]++;
    codes->count[0] = 0;
    for (int length = 1; length < 15; length++) place[length + 1] = (uint16_t)(place[length] + codes->count[length]);
    for (int i = 0; i < n; i++)
        if (lengths[i]) codes->symbol[place[lengths[i]]++] = (uint16_t)i;
}

static int take_symbol(Stream *s, const Codes *codes) {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length < 16 && !s->failed; length++) {
        code |= take_bits(s, 1);
        int count = codes->count[length];
        if (code - count < first) return codes->symbol[index + code - first];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    s->failed = 1;
    return 0;
}

static void take_stored(Stream *s) {
    s->bits = 0;
    s->n_bits = 0;
    if (s->end - s->in < 4) {
        s->failed = 1;
        return;
    }
    size_t size = s->in[0] | (size_t)s->in[1] << 8;
    s->in += 4;
    if ((size_t)(s->end - s->in) < size || (size_t)(s->out_end - s->out) < size) {
        s->failed = 1;
        return;
    }
    memcpy(s->out, s->in, size);
    s->in += size;
    s->out += size;
}

static void take_coded(Stream *s, const Codes *literals, const Codes *distances) {
    static const uint16_t sizes[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t size_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    while (!s->failed) {
        int symbol = take_symbol(s, literals);
        if (symbol == 256 || s->failed) return;
        if (symbol < 256) {
            if (s->out == s->out_end) break;
            *s->out++ = (uint8_t)symbol;
            continue;
        }
        if (symbol > 285) break;
        size_t size = sizes[symbol - 257] + (size_t)take_bits(s, size_bits[symbol - 257]);
        int far = take_symbol(s, distances), more = far < 4 ? 0 : far / 2 - 1;
        if (far > 29) break;
        size_t distance = (far < 4 ? (size_t)far : (size_t)(2 + far % 2) << more) + 1 + (size_t)take_bits(s, more);
        if ((size_t)(s->out - s->out_start) < distance || (size_t)(s->out_end - s->out) < size) break;
        for (; size; size--, s->out++) *s->out = s->out[-(ptrdiff_t)distance];
    }
    s->failed = 1;
}

static void take_dynamic(Stream *s) {
    static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0}, short_lengths[19] = {0};
    Codes codes, distances;
    int n_literals = take_bits(s, 5) + 257, n_distances = take_bits(s, 5) + 1, n_short = take_bits(s, 4) + 4, n = 0;
    for (int i = 0; i < n_short; i++) short_lengths[order[i]] = (uint8_t)take_bits(s, 3);
    build(&codes, short_lengths, 19);
    while (n < n_literals + n_distances && !s->failed) {
        int symbol = take_symbol(s, &codes), times = 1, length = symbol;
        if (symbol == 16) {
            length = n ? lengths[n - 1] : 0;
            times = 3 + take_bits(s, 2);
        } else if (symbol > 16) {
            length = 0;
            times = symbol == 17 ? 3 + take_bits(s, 3) : 11 + take_bits(s, 7);
        }
        if (n + times > n_literals + n_distances) s->failed = 1;
        else
            for (; times; times--) lengths[n++] = (uint8_t)length;
    }
    if (s->failed || n_literals > 286) {
        s->failed = 1;
        return;
    }
    build(&codes, lengths, n_literals);
    build(&distances, lengths + n_literals, n_distances);
    take_coded(s, &codes, &distances);
}

static void take_fixed(Stream *s) {
    uint8_t lengths[288];
    Codes codes, distances;
    for (int i = 0; i < 288; i++) lengths[i] = (uint8_t)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    build(&codes, lengths, 288);
    memset(lengths, 5, 30);
    build(&distances, lengths, 30);
    take_coded(s, &codes, &distances);
}

/* Decompress to exactly this number of bytes. */
static int inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    Stream s = {in, in + in_size, out, out, out + out_size, 0, 0, 0};
    int is_last = 0;
    while (!is_last && !s.failed) {
        is_last = take_bits(&s, 1);
        int kind = take_bits(&s, 2);
        if (kind == 0) take_stored(&s);
        else if (kind == 1) take_fixed(&s);
        else if (kind == 2) take_dynamic(&s);
        else s.failed = 1;
    }
    return !s.failed && s.out == s.out_end;
}

/* ---- table files ---- */

enum { MOST_MEN = 5, MOST_PAWNS = 3, MOST_TABLES = 160, BLOCK = 1 << 15, HEADER = 84, NO_SLICE = INT16_MIN, MISSING = 1 << 20 };

typedef struct {
    uint8_t *data;    /* the file */
    uint8_t *entries; /* the dictionary, decompressed */
    uint32_t *starts; /* where its entries start */
    uint8_t **blocks; /* decompressed, NULL until needed */
    const uint8_t *list, *packed;
    size_t *offsets;
    uint64_t size;
    uint32_t n_blocks, n_entries;
    int width;
} Plane;

typedef struct {
    char name[16];
    int n_men, n_free, n_slices;           /* n_free: all except pawns; these come first */
    int colour[MOST_MEN], kind[MOST_MEN];  /* kings, White's pieces, Black's, White's pawns, Black's */
    int16_t *slices;                       /* by the squares of the pawns; -1 - n: the mirror image of slice n */
    uint64_t slice_size;
    Plane values, plies;
} Table;

struct RmTables {
    char *folder;
    int whole_game, n;
    Table *tables[MOST_TABLES];
};


static uint64_t number_at(const uint8_t *data, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--) value = value << 8 | data[i];
    return value;
}

#ifdef RM_NO_FILES
static uint8_t *read_file(const char *folder, const char *name, const char *suffix, size_t *size) {
    return (void)folder, (void)name, (void)suffix, (void)size, NULL;
}
#else
static uint8_t *read_file(const char *folder, const char *name, const char *suffix, size_t *size) {
    char path[4096];
    uint8_t *data = NULL;
    int n = folder ? snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix) : -1;
    FILE *file = n < 0 || (size_t)n >= sizeof path ? NULL : fopen(path, "rb");
    if (!file) return NULL;
    if (!fseek(file, 0, SEEK_END)) {
        long length = ftell(file);
        rewind(file);
        data = length >= HEADER ? (uint8_t *)malloc((size_t)length) : NULL;
        if (data && fread(data, 1, (size_t)length, file) != (size_t)length) {
            free(data);
            data = NULL;
        }
        *size = (size_t)(length > 0 ? length : 0);
    }
    fclose(file);
    return data;
}
#endif

static void close_plane(Plane *plane) {
    for (uint32_t i = 0; plane->blocks && i < plane->n_blocks; i++) free(plane->blocks[i]);
    free(plane->blocks);
    free(plane->offsets);
    free(plane->starts);
    free(plane->entries);
    free(plane->data);
    memset(plane, 0, sizeof *plane);
}

/* Find where the entries of the dictionary start. Returns 0 if they do not fill it exactly. */
static int list_entries(Plane *plane, size_t size) {
    size_t at = 0;
    plane->starts = (uint32_t *)malloc((plane->n_entries + 1) * sizeof *plane->starts);
    if (!plane->starts) return 0;
    for (uint32_t entry = 0; entry < plane->n_entries; entry++) {
        plane->starts[entry] = (uint32_t)at;
        for (int owner = 0; owner < 2; owner++) {
            if (at >= size) return 0;
            at += 1 + 3 * (size_t)plane->entries[at];
        }
    }
    return at == size;
}

static int list_blocks(Plane *plane, size_t file_size) {
    size_t at = (size_t)(plane->packed - plane->data);
    plane->offsets = (size_t *)malloc((plane->n_blocks + 1) * sizeof *plane->offsets);
    plane->blocks = (uint8_t **)calloc(plane->n_blocks + 1, sizeof *plane->blocks);
    if (!plane->offsets || !plane->blocks) return 0;
    for (uint32_t i = 0; i < plane->n_blocks; i++) {
        plane->offsets[i] = at;
        at += number_at(plane->list + 8 * (size_t)i, 4);
        if (at > file_size) return 0;
    }
    plane->offsets[plane->n_blocks] = at;
    return at == file_size;
}

/* Read the header and decompress the dictionary; 0 if the file is damaged or does not fit the class. */
static int read_header(Plane *plane, const Table *table, int kind, int whole_game, size_t size, uint64_t symbols) {
    const uint8_t *h = plane->data;
    size_t packed = number_at(h + 52, 4), unpacked = number_at(h + 56, 4), statistics = number_at(h + 60, 4);
    plane->width = h[13];
    plane->size = number_at(h + 32, 8);
    plane->n_blocks = (uint32_t)number_at(h + 44, 4);
    plane->n_entries = (uint32_t)number_at(h + 48, 4);
    uint64_t list = 8 * (uint64_t)plane->n_blocks, rest = size - HEADER;
    if (memcmp(h, "RMOBTAB\n", 8) || number_at(h + 8, 2) != 1 || h[10] != kind || h[11] != whole_game || h[12] != RM_TOP ||
        number_at(h + 14, 2) != 1 || memcmp(h + 16, table->name, 16) || number_at(h + 40, 4) != 15 ||
        number_at(h + 80, 4) != crc_of(h, 80))
        return 0;
    if (plane->width < 1 || plane->width > 3 || plane->size != symbols || plane->n_blocks != (symbols + BLOCK - 1) / BLOCK ||
        unpacked > 1 << 26 || plane->n_entries > 1 << 24 || packed + statistics + list > rest)
        return 0;
    plane->list = h + HEADER + packed + statistics;
    plane->packed = plane->list + list;
    if (crc_of(h + HEADER, packed) != number_at(h + 64, 4) || crc_of(plane->list, (size_t)list) != number_at(h + 72, 4)) return 0;
    plane->entries = (uint8_t *)malloc(unpacked + 1);
    return plane->entries && inflate(h + HEADER, packed, plane->entries, unpacked) && list_entries(plane, unpacked) &&
           list_blocks(plane, size);
}

static const char *const suffixes[2][2] = {{".rmv", ".rmd"}, {".wgv", ".wgd"}};

/* Take over the content of a file; data may be NULL. */
static int open_plane(const RmTables *tables, Table *table, int kind, uint8_t *data, size_t size) {
    Plane *plane = kind ? &table->plies : &table->values;
    uint64_t symbols = 2 * (uint64_t)table->n_slices * table->slice_size;
    close_plane(plane);
    plane->data = data;
    if (data && size >= HEADER && read_header(plane, table, kind, tables->whole_game, size, symbols)) return 1;
    close_plane(plane);
    return 0;
}

static int read_plane_file(const RmTables *tables, Table *table, int kind) {
    size_t size = 0;
    uint8_t *data = read_file(tables->folder, table->name, suffixes[tables->whole_game][kind], &size);
    return open_plane(tables, table, kind, data, size);
}

/* The outcome or plies for a record; 0 if the record stands, MISSING for a damaged block. */
static int read_plane(Plane *plane, uint64_t number, int code, int owner) {
    uint32_t block = (uint32_t)(number / BLOCK);
    size_t symbols = block + 1 == plane->n_blocks ? (size_t)(plane->size - (uint64_t)block * BLOCK) : (size_t)BLOCK;
    size_t packed = plane->offsets[block + 1] - plane->offsets[block], at = (size_t)(number % BLOCK);
    const uint8_t *in = plane->data + plane->offsets[block];
    if (!plane->blocks[block]) {
        uint8_t *unpacked = (uint8_t *)malloc(symbols * (size_t)plane->width);
        if (!unpacked || crc_of(in, packed) != number_at(plane->list + 8 * (size_t)block + 4, 4) ||
            !inflate(in, packed, unpacked, symbols * (size_t)plane->width)) {
            free(unpacked);
            return MISSING;
        }
        plane->blocks[block] = unpacked;
    }
    uint32_t entry = 0;
    for (int i = 0; i < plane->width; i++) entry |= (uint32_t)plane->blocks[block][(size_t)i * symbols + at] << 8 * i;
    if (entry >= plane->n_entries) return MISSING;
    const uint8_t *runs = plane->entries + plane->starts[entry];
    if (owner) runs += 1 + 3 * runs[0];
    for (int i = runs[0] - 1; i >= 0; i--)
        if (runs[1 + 3 * i] <= code) return (int16_t)number_at(runs + 2 + 3 * i, 2);
    return 0;
}

/* ---- numbers of positions ---- */

static int is_like(const Table *table, int i) {
    return i > 2 && table->kind[i] == table->kind[i - 1] && table->colour[i] == table->colour[i - 1];
}

static int pawns_place(const int *squares, int n) {
    int place = 0;
    for (int i = n - 1; i >= 0; i--) place = place << 6 | squares[i];
    return place;
}

/* Number the placements of the pawns; mirror images share the number of the first. 0 if memory runs out. */
static int number_slices(Table *table) {
    int n = table->n_men - table->n_free, n_like = 1, squares[MOST_PAWNS] = {8, 8, 8};
    table->n_slices = 1;
    if (!n) return 1;
    while (n_like < n && is_like(table, table->n_free + n_like)) n_like++;
    table->slices = (int16_t *)malloc(((size_t)1 << 6 * n) * sizeof *table->slices);
    if (!table->slices) return 0;
    for (int i = 0; i < 1 << 6 * n; i++) table->slices[i] = NO_SLICE;
    table->n_slices = 0;
    while (squares[0] < 56) {
        int usable = 1, image[MOST_PAWNS], i;
        for (i = 1; i < n; i++)
            usable &= squares[i] != squares[i - 1] && squares[i] != squares[0] && (i >= n_like || squares[i] > squares[i - 1]);
        if (usable && table->slices[pawns_place(squares, n)] == NO_SLICE) {
            for (i = 0; i < n; i++) {
                int j = i, held = squares[i] ^ 7;
                for (; i < n_like && j && image[j - 1] > held; j--) image[j] = image[j - 1];
                image[j] = held;
            }
            table->slices[pawns_place(image, n)] = (int16_t)(-1 - table->n_slices);
            table->slices[pawns_place(squares, n)] = (int16_t)table->n_slices++;
        }
        for (i = n - 1, squares[i]++; i && squares[i] == 56; squares[i]++) squares[i--] = 8;
    }
    return 1;
}

static int group_size(const Table *table, int first) {
    int n = 1;
    while (first + n < table->n_free && is_like(table, first + n)) n++;
    return n;
}

static uint64_t places_of(int n) { return n == 1 ? 64 : n == 2 ? 2016 : 41664; }

static uint64_t group_number(const int *squares, int n) {
    int a = squares[0], b = n > 1 ? squares[1] : 0, c = n > 2 ? squares[2] : 0; /* ascending */
    return (uint64_t)(n == 1 ? a : n == 2 ? b * (b - 1) / 2 + a : c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a);
}

static void sort(int *squares, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j && squares[j] < squares[j - 1]; j--) {
            int held = squares[j];
            squares[j] = squares[j - 1];
            squares[j - 1] = held;
        }
}

static uint64_t kings_number(const Table *table, int *squares, int *slice) {
    int n = table->n_men, mask = 0;
    *slice = 0;
    if (table->n_free < n) {
        *slice = table->slices[pawns_place(squares + table->n_free, n - table->n_free)];
        if (*slice < 0) mask = 7;
        if (*slice < 0) *slice = -1 - *slice;
    } else {
        mask = ((squares[0] & 7) > 3 ? 7 : 0) ^ (squares[0] >> 3 > 3 ? 56 : 0);
    }
    for (int i = 0; i < table->n_free; i++) squares[i] ^= mask;
    if (table->n_free < n) return (uint64_t)(64 * squares[0] + squares[1]);
    if (is_above(squares[0]) || (squares[0] >> 3 == (squares[0] & 7) && is_above(squares[1])))
        for (int i = 0; i < n; i++) squares[i] = squares[i] >> 3 | (squares[i] & 7) << 3;
    return (uint64_t)king_pairs[squares[0]][squares[1]];
}

static uint64_t position_number(const Table *table, const RmPosition *p, int turned) {
    int squares[MOST_MEN], slice;
    Bits men = 0;
    for (int i = 0; i < table->n_men; i++, men &= men - 1) {
        if (!is_like(table, i)) {
            men = p->colour[table->colour[i] ^ turned] & p->kind[table->kind[i]];
            if (turned) men = SWAP(men);
        }
        squares[i] = FIRST(men);
    }
    uint64_t number = kings_number(table, squares, &slice);
    for (int i = 2, n; i < table->n_free; i += n) {
        n = group_size(table, i);
        sort(squares + i, n);
        number = places_of(n) * number + group_number(squares + i, n);
    }
    return ((uint64_t)(p->side ^ turned) * (uint64_t)table->n_slices + (uint64_t)slice) * table->slice_size + number;
}

/* ---- probing ---- */

/* The name of the class, such as KQvKR. turned: Black is the first side in it. */
static void class_of(const RmPosition *p, char *name, int *turned) {
    static const char letters[] = "PNBRQK";
    int at = 0;
    *turned = COUNT(p->colour[RM_BLACK]) > COUNT(p->colour[RM_WHITE]);
    for (int kind = RM_KING; kind >= 0 && COUNT(p->colour[0]) == COUNT(p->colour[1]); kind--) {
        int white = COUNT(p->colour[RM_WHITE] & p->kind[kind]), black = COUNT(p->colour[RM_BLACK] & p->kind[kind]);
        if (white == black) continue;
        *turned = black > white;
        break;
    }
    memset(name, 0, 16);
    for (int side = 0; side < 2; side++) {
        if (side) name[at++] = 'v';
        for (int kind = RM_KING; kind >= 0; kind--)
            for (int n = COUNT(p->colour[side ^ *turned] & p->kind[kind]); n; n--) name[at++] = letters[kind];
    }
}

static int add_men(Table *table, int is_pawn, int is_king) {
    static const char letters[] = "PNBRQK";
    int colour = RM_WHITE, n = 0;
    for (const char *letter = table->name; *letter; letter++) {
        int kind = *letter == 'v' ? -1 : (int)(strchr(letters, *letter) - letters);
        if (kind < 0) colour = RM_BLACK;
        else if ((kind == RM_PAWN) == is_pawn && (kind == RM_KING) == is_king) {
            table->colour[table->n_men] = colour;
            table->kind[table->n_men++] = kind;
            n++;
        }
    }
    return n;
}

static void free_table(Table *table) {
    close_plane(&table->values);
    close_plane(&table->plies);
    free(table->slices);
    free(table);
}

/* The table of a class, without values if there is no readable file; NULL if memory runs out. */
static Table *table_named(RmTables *tables, const char *name) {
    for (int i = 0; i < tables->n; i++)
        if (!strcmp(tables->tables[i]->name, name)) return tables->tables[i];
    Table *table = tables->n < MOST_TABLES ? (Table *)calloc(1, sizeof *table) : NULL;
    if (!table) return NULL;
    memcpy(table->name, name, sizeof table->name);
    table->n_free = add_men(table, 0, 1) + add_men(table, 0, 0);
    int n_pawns = add_men(table, 1, 0);
    if (n_pawns <= MOST_PAWNS && !number_slices(table)) {
        free_table(table);
        return NULL;
    }
    table->slice_size = n_pawns ? 4096 : 462;
    for (int i = 2; i < table->n_free; i += group_size(table, i)) table->slice_size *= places_of(group_size(table, i));
    if (n_pawns <= MOST_PAWNS && read_plane_file(tables, table, 0)) read_plane_file(tables, table, 1);
    return tables->tables[tables->n++] = table;
}

/* The plies of a table count only if both files are from the same build. */
static int has_plies(const Table *table) {
    return table->plies.data && !memcmp(table->values.data + 76, table->plies.data + 76, 4);
}

static int outcome_of(int code, int owner) { return owner == RM_WHITE ? RM_TOP - code : code - RM_TOP; }

/* plies: -1 if unknown. */
static int look_up(RmTables *tables, const RmPosition *p, int code, int owner, int *plies) {
    char name[16];
    int turned;
    *plies = 0;
    if (code <= 1) return outcome_of(code, owner);
    if (code > 126) code = 126;
    class_of(p, name, &turned);
    Table *table = table_named(tables, name);
    if (!table || !table->values.data) return 0;
    uint64_t number = position_number(table, p, turned);
    int value = read_plane(&table->values, number, code, owner ^ turned);
    if (value == MISSING) return 0;
    if (value == 0) return outcome_of(code, owner);
    *plies = has_plies(table) ? read_plane(&table->plies, number, code, owner ^ turned) : -1;
    if (*plies == MISSING) *plies = -1;
    return turned ? -value : value;
}

/* The value of a position with an en passant capture, which no table has: that of its best move. */
static int look_ahead(RmTables *tables, const RmPosition *p, int code, int owner, int *plies) {
    RmMove moves[RM_MOST_MOVES];
    int n = rm_moves(p, moves), best = 0, sign = p->side == RM_WHITE ? 1 : -1, held = outcome_of(code, owner);
    for (int i = 0; i < n; i++) {
        RmPosition after = *p;
        rm_make(&after, moves[i]);
        int own = rm_goal(&after), far, is_new = own < code || (after.clock == 0 && !tables->whole_game);
        int value = look_up(tables, &after, is_new ? own : code, is_new ? after.side ^ 1 : owner, &far);
        if (!value) return 0;
        far = value == held ? 0 : far < 0 ? -1 : far + 1;
        int is_gain = sign * (value - held) > 0;
        if (!best || sign * value > sign * best || (value == best && (is_gain ? far < *plies : far > *plies))) {
            best = value;
            *plies = far;
        }
    }
    return best;
}

RmTables *rm_open_tables(const char *folder, int whole_game) {
    RmTables *tables = (RmTables *)calloc(1, sizeof *tables);
    rm_init();
    if (!tables || (folder && !(tables->folder = (char *)malloc(strlen(folder) + 1)))) {
        free(tables);
        return NULL;
    }
    if (folder) strcpy(tables->folder, folder);
    tables->whole_game = whole_game != 0;
    return tables;
}

/* Whether this names a class: the letters of two sides, each beginning with its only king, and not too many. */
static int is_class(const char *name, size_t length) {
    int n_kings = 0, n_sides = 1, n_pawns = 0;
    if (length > MOST_MEN + 1) return 0;
    for (size_t i = 0; i < length; i++) {
        int is_first = i == 0 || name[i - 1] == 'v';
        if (!strchr("KQRBNPv", name[i]) || is_first != (name[i] == 'K')) return 0;
        n_kings += name[i] == 'K';
        n_sides += name[i] == 'v';
        n_pawns += name[i] == 'P';
    }
    return n_kings == 2 && n_sides == 2 && n_pawns <= MOST_PAWNS;
}

int rm_add_file(RmTables *tables, const char *name, void *data, size_t size) {
    char class_name[16] = {0};
    const char *suffix = strchr(name, '.');
    size_t length = suffix ? (size_t)(suffix - name) : 0;
    Table *table = NULL;
    int kind = suffix && !strcmp(suffix, suffixes[tables->whole_game][1]);
    if (suffix && !strcmp(suffix, suffixes[tables->whole_game][kind]) && is_class(name, length)) {
        memcpy(class_name, name, length);
        table = table_named(tables, class_name);
    }
    if (table) return open_plane(tables, table, kind, (uint8_t *)data, size);
    free(data);
    return 0;
}

void rm_close_tables(RmTables *tables) {
    if (!tables) return;
    for (int i = 0; i < tables->n; i++) free_table(tables->tables[i]);
    free(tables->folder);
    free(tables);
}

int rm_probe(RmTables *tables, const RmPosition *p, const RmRecord *record, int *plies) {
    int far, code = rm_goal(p), owner = p->side ^ 1;
    if (!plies) plies = &far;
    *plies = 0;
    if (p->castling || COUNT(p->colour[0] | p->colour[1]) > MOST_MEN) return 0;
    if (code > 1 && record && record->code <= code) {
        if (record->code <= 1) return 0;
        code = record->code;
        owner = record->owner;
    }
    return p->ep == RM_NONE || code <= 1 ? look_up(tables, p, code, owner, plies) : look_ahead(tables, p, code, owner, plies);
}
