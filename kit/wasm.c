/* rmobility.c as a WebAssembly module for rmobility.mjs, without a C library and without imports. MIT licence, see there.
 *
 * Texts are passed in both directions through `text`, numbers through `numbers`; games and tables are addresses.
 */
#include "rmobility.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- the functions of the C library that rmobility.c needs ---- */

void *memcpy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; i++) ((char *)to)[i] = (char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t size) {
    const uint8_t *a = one, *b = other;
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *of) {
    size_t length = 0;
    while (of[length]) length++;
    return length;
}

int strncmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i]) return (uint8_t)a[i] - (uint8_t)b[i];
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }

char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }

char *strchr(const char *in, int letter) {
    for (; *in != (char)letter; in++)
        if (!*in) return NULL;
    return (char *)in;
}

size_t strspn(const char *in, const char *letters) {
    size_t length = 0;
    while (in[length] && strchr(letters, in[length])) length++;
    return length;
}

size_t strcspn(const char *in, const char *letters) {
    size_t length = 0;
    while (in[length] && !strchr(letters, in[length])) length++;
    return length;
}

int atoi(const char *digits) {
    int value = 0;
    while (*digits >= '0' && *digits <= '9') value = 10 * value + *digits++ - '0';
    return value;
}

/* ---- memory: free blocks in the order of their addresses; the first one that is large enough is used ---- */

typedef struct Block {
    size_t size; /* with this header */
    struct Block *next;
} Block;

enum { PAGE = 1 << 16, UNIT = 16 };

static Block *free_blocks;
extern uint8_t __heap_base;

static Block *more_memory(size_t size) {
    static size_t start, end;
    if (!start) {
        start = ((size_t)&__heap_base + UNIT - 1) / UNIT * UNIT;
        end = __builtin_wasm_memory_size(0) * PAGE;
    }
    if (size > end - start) {
        size_t pages = (size - (end - start) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
        end += pages * PAGE;
    }
    Block *block = (Block *)start;
    block->size = size;
    start += size;
    return block;
}

EXPORT(malloc) void *malloc(size_t size) {
    if (size > (size_t)-1 - PAGE) return NULL;
    size = (size + sizeof(Block) + UNIT - 1) / UNIT * UNIT;
    for (Block **at = &free_blocks; *at; at = &(*at)->next) {
        Block *block = *at;
        if (block->size < size) continue;
        if (block->size > size) {
            Block *rest = (Block *)((uint8_t *)block + size);
            *rest = (Block){block->size - size, block->next};
            *at = rest;
            block->size = size;
        } else {
            *at = block->next;
        }
        return block + 1;
    }
    Block *block = more_memory(size);
    return block ? block + 1 : NULL;
}

EXPORT(free) void free(void *data) {
    Block *before = NULL, *after = free_blocks, *block = (Block *)data - 1;
    if (!data) return;
    while (after && after < block) {
        before = after;
        after = after->next;
    }
    block->next = after;
    if (before) before->next = block;
    else free_blocks = block;
    if (after && (uint8_t *)block + block->size == (uint8_t *)after) {
        block->size += after->size;
        block->next = after->next;
    }
    if (before && (uint8_t *)before + before->size == (uint8_t *)block) {
        before->size += block->size;
        before->next = block->next;
    }
}

void *calloc(size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) return NULL;
    void *data = malloc(count * size);
    return data ? memset(data, 0, count * size) : NULL;
}

void *realloc(void *data, size_t size) {
    size_t old = data ? ((Block *)data - 1)->size - sizeof(Block) : 0;
    if (old >= size) return data;
    void *copy = malloc(size);
    if (!copy) return NULL;
    if (data) memcpy(copy, data, old);
    free(data);
    return copy;
}

/* ---- what rmobility.mjs calls ---- */

static char text[256];
static int32_t numbers[16];
static uint8_t bytes[4 * RM_MOST_MOVES];

EXPORT(text) char *text_place(void) { return text; }
EXPORT(numbers) int32_t *numbers_place(void) { return numbers; }
EXPORT(bytes) uint8_t *bytes_place(void) { return bytes; }

/* text: a FEN. code: the code of a given record, or -1. Returns 0 on an error; text then says what was expected, or is
 * empty if memory ran out. */
EXPORT(open_game) RmGame *open_game(int code, int owner, int fifty, int keep, int whole, int limit, int dead) {
    RmGame *game = malloc(sizeof *game);
    RmRecord given = {code, owner, 0};
    const char *wrong = game ? rm_start(game, text, code < 0 ? NULL : &given, (RmRules){fifty, keep, whole, limit, dead}) : "";
    if (!wrong) return game;
    free(game);
    strcpy(text, wrong);
    return NULL;
}

EXPORT(close_game) void close_game(RmGame *game) {
    rm_close(game);
    free(game);
}

/* text: a move in coordinates. Returns 1, 0 for a move that is not legal, -1 if memory runs out. */
EXPORT(push) int push(RmGame *game) { return rm_push(game, text); }

/* numbers: end, whether there is a record, its code, owner and ply; code of the goal, side to move, clock, ply;
 * en passant square; code and owner of the lowest goal, which counts for tables. */
EXPORT(state) void state(const RmGame *game) {
    RmRecord record;
    int has_record = rm_record(game, &record);
    const RmPosition *p = &game->position;
    const int32_t found[] = {rm_end(game), has_record, record.code, record.owner,  record.ply,       rm_goal(p),
                             p->side,      p->clock,   game->ply,   p->ep,         game->lowest.code, game->lowest.owner};
    memcpy(numbers, found, sizeof found);
}

/* bytes: for each legal move its squares, the promotion and the kind of its piece, 6 for castling. Returns how many. */
EXPORT(moves) int moves(const RmGame *game) {
    RmMove found[RM_MOST_MOVES];
    const RmPosition *p = &game->position;
    int n = rm_moves(p, found);
    for (int i = 0; i < n; i++) {
        int kind = RM_PAWN;
        while (!(p->kind[kind] >> found[i].from & 1)) kind++;
        if (p->colour[p->side] >> found[i].to & 1) kind++; /* the king moves onto its rook */
        const uint8_t told[] = {found[i].from, found[i].to, found[i].promotion, (uint8_t)kind};
        memcpy(bytes + 4 * i, told, sizeof told);
    }
    return n;
}

/* bytes: for each square 0, or 1 + kind, plus 8 for Black and 16 for a rook that may castle. */
EXPORT(board) void board(const RmGame *game) {
    const RmPosition *p = &game->position;
    memset(bytes, 0, 64);
    for (int sq = 0; sq < 64; sq++)
        for (int kind = RM_PAWN; kind <= RM_KING; kind++)
            if (p->kind[kind] >> sq & 1)
                bytes[sq] = (uint8_t)(1 + kind + 8 * (p->colour[RM_BLACK] >> sq & 1) + 16 * (p->castling >> sq & 1));
}

/* text: a goal. numbers: code, owner. Returns 0 if the text is not a goal. */
EXPORT(parse_goal) int parse_goal(void) {
    int code, owner, is_goal = rm_parse_goal(text, &code, &owner);
    numbers[0] = code;
    numbers[1] = owner;
    return is_goal;
}

/* text: a komi. numbers: quarters, side. Returns 0 if the text is not a komi. */
EXPORT(parse_komi) int parse_komi(void) {
    int quarters, side, is_komi = rm_parse_komi(text, &quarters, &side);
    numbers[0] = quarters;
    numbers[1] = side;
    return is_komi;
}

EXPORT(by_komi) int by_komi(int code, int owner, int quarters, int side, int cut_off) {
    RmRecord record = {code, owner, 0};
    return rm_by_komi(code < 0 ? NULL : &record, quarters, side, cut_off);
}

EXPORT(open_tables) RmTables *open_tables(int whole_game) { return rm_open_tables(NULL, whole_game); }
EXPORT(close_tables) void close_tables(RmTables *tables) { rm_close_tables(tables); }

/* text: the file's name. data: from malloc. */
EXPORT(add_file) int add_file(RmTables *tables, void *data, size_t size) { return rm_add_file(tables, text, data, size); }

/* Returns the outcome under the lowest goal of the game. numbers: the plies. */
EXPORT(probe) int probe(RmTables *tables, const RmGame *game) {
    int plies = 0, outcome = rm_probe(tables, &game->position, &game->lowest, &plies);
    numbers[0] = plies;
    return outcome;
}

/* text: a FEN. Returns the code of its goal, or -1; text then says what was expected. owner: 1 - its side to move. */
EXPORT(goal) int goal(void) {
    RmPosition position;
    const char *wrong = rm_set_fen(&position, text, NULL);
    if (wrong) {
        strcpy(text, wrong);
        return -1;
    }
    numbers[0] = position.side ^ 1;
    return rm_goal(&position);
}
