/* R-Mobility for match runners: goals, records, komi and outcome tables. MIT licence, see rmobility.c.
 *
 * The goal of a position is the number of legal moves of the side to move, plus a half if it is not in check.
 * Its code is twice that number: 0 is mate, 1 stalemate, 2 G1.0, 3 G1.5. It belongs to the side that has just moved.
 * The record is the lowest goal since the last capture or pawn move; only a strictly lower goal replaces it.
 *
 * No function keeps global state apart from constant tables: call rm_init once before threads start.
 */
#ifndef RMOBILITY_H
#define RMOBILITY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RM_WHITE, RM_BLACK };
enum { RM_PAWN, RM_KNIGHT, RM_BISHOP, RM_ROOK, RM_QUEEN, RM_KING };
enum { RM_NONE = 64, RM_MOST_MOVES = 256, RM_TOP = 127, RM_NO_LIMIT = 1 << 20 };

typedef struct {
    uint64_t colour[2], kind[6]; /* a1 is bit 0, b1 bit 1, h8 bit 63 */
    uint64_t castling;           /* the rooks that may castle */
    int side;                    /* the side to move */
    int ep;                      /* square of a legal capture en passant, else RM_NONE */
    int clock;                   /* plies since the last capture or pawn move */
} RmPosition;

/* Castling moves from the king's to the rook's square. promotion: RM_KNIGHT to RM_QUEEN, else 0. */
typedef struct {
    uint8_t from, to, promotion;
} RmMove;

typedef struct {
    int code, owner;
    int ply; /* half-moves of the game up to then */
} RmRecord;

typedef enum { RM_FIDE, RM_RECORD, RM_OFF } RmFifty;

typedef struct {
    RmFifty fifty;    /* RM_RECORD: an improved record restarts the 50 moves */
    int keep_trigger; /* the position that triggers the 50-move rule may set a record */
    int whole_game;   /* captures and pawn moves do not delete the record */
    int limit;        /* weaker goal codes do not set records; RM_NO_LIMIT */
    int dead_draw;    /* insufficient material ends the game */
} RmRules;

typedef enum { RM_ONGOING, RM_MATE, RM_STALEMATE, RM_REPETITION, RM_FIFTY_MOVES, RM_DEAD } RmEnd;
typedef enum { RM_DRAWN, RM_WHITE_WINS, RM_BLACK_WINS } RmResult;

typedef struct {
    RmPosition position;
    RmRules rules;
    RmRecord lowest, waiting; /* waiting: a goal that counts only if the game goes on */
    int is_waiting, clock, ply;
    RmPosition *past; /* positions since the last capture or pawn move */
    size_t n_past, room;
} RmGame;

void rm_init(void);
RmRules rm_rules(void); /* the usual ones */

/* Positions. A FEN has four to six fields; castling rights may be KQkq, X-FEN or Shredder-FEN. If record is
 * not NULL, it receives a last field such as -G8.5, or code -1 without such a field. Returns NULL, or what was
 * expected. */
const char *rm_set_fen(RmPosition *position, const char *fen, RmRecord *record);
int rm_goal(const RmPosition *position); /* the code */
int rm_moves(const RmPosition *position, RmMove *moves);
void rm_make(RmPosition *position, RmMove move);
int rm_find(const RmPosition *position, const char *text, RmMove *move); /* e2e4, e7e8q, e1g1 or e1h1; 0: not legal */
int rm_is_dead(const RmPosition *position);                              /* insufficient material */

/* Write a goal as text such as -G8.5 (room for 32 characters), and read one; 0 if the text is not a goal. */
char *rm_goal_text(int code, int owner, char *text);
int rm_parse_goal(const char *text, int *code, int *owner);

/* Games. given may be NULL; if the position's own goal is lower, it replaces a given record. rm_push returns 0 for a
 * move that is not legal, -1 if memory runs out. rm_record returns 0 if no goal is within the limit. */
const char *rm_start(RmGame *game, const char *fen, const RmRecord *given, RmRules rules);
int rm_push(RmGame *game, const char *move);
RmEnd rm_end(const RmGame *game);
int rm_record(const RmGame *game, RmRecord *record);
void rm_close(RmGame *game);

/* Komi, in quarters: G3.75 is 15. side wins with a lower goal, draws with an equal one, and otherwise loses. A goal code
 * from cut_off on, or no record, is a plain draw; RM_NO_LIMIT means no cut-off. record may be NULL. */
int rm_parse_komi(const char *text, int *quarters, int *side);
RmResult rm_by_komi(const RmRecord *record, int quarters, int side, int cut_off);
double rm_points(int code); /* the achiever's points by TCEC: 1/2 + 2^-(code + 1) */

/* Outcome tables, .rmv and .rmd files of standstill (docs/table-format.md). An outcome is RM_TOP - code for White,
 * code - RM_TOP for Black. Files are opened when first needed; folder may be NULL. Not thread-safe. */
typedef struct RmTables RmTables;
RmTables *rm_open_tables(const char *folder, int whole_game);
/* Give the content of a file, such as KBvK.rmv, that replaces one in the folder. data comes from malloc, and the tables
 * free it. Returns 0 for any other file. */
int rm_add_file(RmTables *tables, const char *name, void *data, size_t size);
void rm_close_tables(RmTables *tables);
/* The outcome of best play under a record (NULL: the position's own), and the plies to it, -1 if unknown; plies
 * may be NULL. Returns 0 if no table has the position, or if the record (mate, stalemate) would have ended the
 * game. The 50-move rule and earlier repetitions are ignored. */
int rm_probe(RmTables *tables, const RmPosition *position, const RmRecord *record, int *plies);

#ifdef __cplusplus
}
#endif
#endif
