/* Answers the questions of cases.jsonl with rmobility.c, for run.py. In the public domain (CC0 1.0).
 *
 *   cc -O2 -I.. -o answer answer.c ../rmobility.c
 *   python run.py ./answer [FOLDER OF TABLES]
 *
 * It reads just the JSON that the suite contains: no escapes in texts, moves as a list.
 */
#include "rmobility.h"

#include <stdio.h>
#include <string.h>

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/* The text after "name": in the line; NULL if the line has no such field. */
static const char *field(const char *line, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

/* Copy the text of a field; "" without it. */
static const char *text_of(const char *line, const char *name, char *text, size_t size) {
    const char *value = field(line, name);
    size_t length = value && *value == '"' ? strcspn(value + 1, "\"") : 0;
    if (length >= size) length = 0;
    memcpy(text, value ? value + 1 : "", length);
    text[length] = 0;
    return text;
}

static int is_true(const char *line, const char *name) {
    const char *value = field(line, name);
    return value && !strncmp(value, "true", 4);
}

static int code_in(const char *line, const char *name) {
    char text[32];
    int code, owner;
    return rm_parse_goal(text_of(line, name, text, sizeof text), &code, &owner) ? code : RM_NO_LIMIT;
}

static RmRules rules_in(const char *line) {
    char text[32];
    RmRules rules = rm_rules();
    text_of(line, "fifty", text, sizeof text);
    if (*text) rules.fifty = !strcmp(text, "record") ? RM_RECORD : !strcmp(text, "off") ? RM_OFF : RM_FIDE;
    rules.keep_trigger = is_true(line, "keep_trigger");
    rules.whole_game = is_true(line, "whole_game");
    rules.dead_draw = is_true(line, "dead_draw");
    rules.limit = code_in(line, "limit");
    return rules;
}

static const char *play(RmGame *game, const char *line) {
    char fen[200], text[32];
    RmRecord given = {0, 0, 0};
    int has_record = rm_parse_goal(text_of(line, "record", text, sizeof text), &given.code, &given.owner);
    text_of(line, "fen", fen, sizeof fen);
    const char *wrong = rm_start(game, *fen ? fen : START, has_record ? &given : NULL, rules_in(line));
    const char *at = field(line, "moves"), *end = at ? strchr(at, ']') : NULL;
    while (!wrong && end && (at = strchr(at, '"')) && at < end) {
        size_t length = strcspn(++at, "\"");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        if (rm_push(game, text) != 1) return "a legal move";
        at += length + 1;
    }
    return wrong;
}

static const char *result_of(const RmGame *game, const RmRecord *record, const char *line) {
    static const char *const results[] = {"1/2-1/2", "1-0", "0-1"};
    char text[32];
    int quarters, side;
    RmEnd end = rm_end(game);
    if (end == RM_ONGOING) return "*";
    if (end == RM_MATE) return game->position.side == RM_WHITE ? "0-1" : "1-0";
    if (!rm_parse_komi(text_of(line, "komi", text, sizeof text), &quarters, &side)) return results[RM_DRAWN];
    return results[rm_by_komi(record, quarters, side, code_in(line, "cut_off"))];
}

static void answer(const char *line, RmTables *tables) {
    static const char *const ends[] = {"null", "\"mate\"", "\"stalemate\"", "\"repetition\"", "\"fifty\"", "\"material\""};
    RmGame game;
    RmRecord record;
    char goal[32];
    const char *wrong = play(&game, line);
    if (wrong) {
        printf("{\"error\": \"expected %s\"}\n", wrong);
        rm_close(&game);
        return;
    }
    int has_record = rm_record(&game, &record);
    printf("{\"over\": %s, \"result\": \"%s\"", ends[rm_end(&game)], result_of(&game, has_record ? &record : NULL, line));
    if (has_record)
        printf(", \"record\": \"%s\", \"ply\": %d, \"owner\": \"%s\"", rm_goal_text(record.code, record.owner, goal),
               record.ply, record.owner == RM_WHITE ? "white" : "black");
    else printf(", \"record\": null, \"ply\": null, \"owner\": null");
    int plies, outcome = tables && has_record ? rm_probe(tables, &game.position, &record, &plies) : 0;
    if (outcome)
        printf(", \"proven\": true, \"outcome\": \"%s\", \"plies\": %d",
               rm_goal_text(RM_TOP - (outcome > 0 ? outcome : -outcome), outcome < 0, goal), plies);
    printf("}\n");
    rm_close(&game);
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    RmTables *tables = argc > 1 ? rm_open_tables(argv[1], 0) : NULL;
    while (fgets(line, sizeof line, stdin)) answer(line, tables);
    rm_close_tables(tables);
    return 0;
}
