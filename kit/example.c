/* Adjudicate a game: reads moves in coordinates from standard input, one per line; prints each record and the result.
 *
 *   cc -O2 -o example example.c rmobility.c
 *   printf 'c5d5\ng5f5\n' | ./example "8/8/8/2K3k1/8/8/8/8 w - - 0 1" G5.25 engine/tablebases/data
 */
#include "rmobility.h"

#include <stdio.h>
#include <string.h>

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static void tell(const RmGame *game, RmTables *tables) {
    RmRecord record;
    char text[32], proven[32];
    int plies, outcome = 0;
    if (!rm_record(game, &record)) return;
    if (tables) outcome = rm_probe(tables, &game->position, &record, &plies);
    printf("ply %d record %s", game->ply, rm_goal_text(record.code, record.owner, text));
    if (outcome)
        printf(" outcome %s", rm_goal_text(RM_TOP - (outcome > 0 ? outcome : -outcome), outcome < 0, proven));
    printf("\n");
}

int main(int argc, char **argv) {
    static const char *const ends[] = {"*", "mate", "stalemate", "repetition", "fifty moves", "insufficient material"};
    static const char *const results[] = {"1/2-1/2", "1-0", "0-1"};
    int quarters = 0, side = RM_WHITE, has_komi = argc > 2;
    if (has_komi && !rm_parse_komi(argv[2], &quarters, &side)) {
        fprintf(stderr, "expected a komi such as G3.75, found %s\n", argv[2]);
        return 2;
    }
    RmTables *tables = argc > 3 ? rm_open_tables(argv[3], 0) : NULL;
    RmGame game;
    const char *wrong = rm_start(&game, argc > 1 ? argv[1] : START, NULL, rm_rules());
    if (wrong) {
        fprintf(stderr, "expected %s, found %s\n", wrong, argv[1]);
        return 2;
    }
    char move[16];
    RmEnd end = rm_end(&game);
    tell(&game, tables);
    while (end == RM_ONGOING && scanf("%15s", move) == 1) {
        if (rm_push(&game, move) != 1) {
            fprintf(stderr, "ply %d: illegal move %s\n", game.ply + 1, move);
            return 2;
        }
        tell(&game, tables);
        end = rm_end(&game);
    }
    RmRecord record;
    int has_record = rm_record(&game, &record);
    RmResult result = end == RM_MATE ? (game.position.side == RM_WHITE ? RM_BLACK_WINS : RM_WHITE_WINS) : RM_DRAWN;
    if (end != RM_MATE && has_komi) result = rm_by_komi(has_record ? &record : NULL, quarters, side, RM_NO_LIMIT);
    printf("%s by %s\n", end == RM_ONGOING ? "*" : results[result], ends[end]);
    rm_close_tables(tables);
    rm_close(&game);
    return 0;
}
