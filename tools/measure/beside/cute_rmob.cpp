// Asks cuteRMob, a cutechess for R-Mobility, the questions of kit/conformance, and replays its games.
//
//     git clone https://github.com/windfishballad/cuteRMob && cd cuteRMob/projects/lib && qmake && make
//     g++ -DLIB_EXPORT= $(pkg-config --cflags Qt5Core) -fPIC -Isrc -Icomponents/json/src \
//         -o answer .../tools/measure/beside/cute_rmob.cpp -L. -lcutechess $(pkg-config --libs Qt5Core)
//     python kit/conformance/run.py ./answer
//     python kit/conformance/run.py --games --without RMobilityPoints ... ./answer games
//
// The board is the one of its match runner, with its `-legacyMode` (the usual 50-move rule) and without a cut-off.
#define private public
#define protected public
#include <board/boardfactory.h>
#include <board/result.h>
#include <board/westernboard.h>
#include <enginemanager.h>
#include <gamemanager.h>
#include <pgngame.h>
#include <pgnstream.h>
#include <roundrobintournament.h>
#undef private
#undef protected

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTextStream>
#include <memory>

namespace {
const int no_cutoff = 437;

QString text(Chess::rMobResult goal) {
    const char* sign = goal.gSide == Chess::Side::White ? "" : "-";
    return QString("%1G%2.%3").arg(sign).arg(goal.gScore / 2).arg(goal.gScore % 2 * 5);
}

// A game on its board, and the half-move that set the record. The board keeps the record and does not keep this number.
struct Game {
    std::unique_ptr<Chess::WesternBoard> board;
    Chess::Result result;
    int plies = 0, set = 0;

    Game(bool chess960, bool legacy, int cutoff)
        : board(static_cast<Chess::WesternBoard*>(
              Chess::BoardFactory::create(chess960 ? "fischerandom" : "standard"))) {
        board->setCutoff(cutoff);
        board->setLegacy(legacy);
    }
    bool start(QString fen) {
        if (!board->setFenString(fen.isEmpty() ? board->defaultFenString() : fen)) return false;
        result = board->result();
        return true;
    }
    bool push(Chess::Move move) {
        if (move.isNull()) return false;
        bool resets = board->pieceAt(move.sourceSquare()).type() == Chess::WesternBoard::Pawn ||
                      board->captureType(move) != Chess::Piece::NoPiece;
        Chess::rMobResult before = board->gResult();
        board->makeMove(move);
        result = board->result();
        ++plies;
        Chess::rMobResult now = board->gResult();
        if (resets || now.gScore != before.gScore || now.gSide != before.gSide) set = plies;
        return true;
    }
};

// Its reader keeps the variant of the game before, calls Chess960 fischerandom, and takes a record from the FEN.
QString prepared(const QString& games) {
    QString found = games;
    found.replace(QRegularExpression("\\[Variant \"[^\"]*\"\\]"), "[Variant \"fischerandom\"]");
    found.replace(QRegularExpression("\\[FEN \"([^\"]*)\"\\]\\n\\[RMobilityRecord \"([^\"]*)\"\\]"), "[FEN \"\\1 \\2\"]");
    QStringList parts = found.split("\n\n[Event ");
    for (QString& part : parts)
        if (!part.contains("[Variant ")) part.replace("\n[Result ", "\n[Variant \"standard\"]\n[Result ");
    return parts.join("\n\n[Event ");
}

void replay(const QString& games, QTextStream& out) {
    QByteArray bytes = prepared(games).toUtf8();
    PgnStream in(&bytes);
    for (;;) {
        PgnGame pgn(false, false);
        if (!pgn.read(in)) return;
        Game game(pgn.variant() == "fischerandom", true, no_cutoff);
        game.start(pgn.startingFenString());
        for (const auto& move : pgn.moves()) game.push(game.board->moveFromGenericMove(move.move));
        Chess::rMobResult record = game.board->gResult();
        Chess::Result told(pgn.tagValue("Result"));
        if (told.type() == Chess::Result::Win && game.result.type() != Chess::Result::Win) {
            record = {0, told.winner()};
            game.set = game.plies;
        }
        out << "[RMobilityResult \"" << text(record) << "\"]\n[RMobilityPly \"" << game.set << "\"]\n\n*\n\n";
    }
}

QJsonObject answer(const QJsonObject& question, Tournament& tournament) {
    QJsonObject rules = question["rules"].toObject();
    for (const char* name : {"whole_game", "limit", "keep_trigger", "dead_draw"})
        if (rules.contains(name)) return {{"error", QString("no ") + name}};
    if (rules["fifty"].toString() == "off") return {{"error", "no fifty off"}};
    int cutoff = rules.contains("cut_off") ? Chess::parseGValue(rules["cut_off"].toString()).gScore : no_cutoff;
    Game game(rules["chess960"].toBool(), rules["fifty"].toString() != "record", cutoff);
    QString fen = question["fen"].toString();
    if (question.contains("record")) fen += " " + question["record"].toString();
    if (!game.start(fen)) return {{"error", "refused: " + fen}};
    for (const auto& move : question["moves"].toArray())
        if (!game.push(game.board->moveFromString(move.toString()))) return {{"error", "illegal: " + move.toString()}};
    Chess::rMobResult record = game.board->gResult();
    bool over = !game.result.isNone();
    QString result = over ? game.result.toLegacyString() : "*";
    if (over && question.contains("komi")) {
        tournament.m_gCutoff = cutoff;
        result = tournament.rMobPoints(record, Chess::parseKomi(question["komi"].toString()));
    }
    return {{"record", text(record)},
            {"ply", game.set},
            {"owner", record.gSide == Chess::Side::White ? "white" : "black"},
            {"over", over ? QJsonValue(game.result.description()) : QJsonValue()},
            {"result", result}};
}
}  // namespace

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    GameManager manager;
    RoundRobinTournament tournament(&manager, nullptr);
    tournament.setRMobType(Chess::Komi);
    QTextStream in(stdin), out(stdout);
    if (argc > 1) {
        replay(in.readAll(), out);
        return 0;
    }
    while (!in.atEnd()) {
        QJsonObject question = QJsonDocument::fromJson(in.readLine().toUtf8()).object();
        out << QJsonDocument(answer(question, tournament)).toJson(QJsonDocument::Compact) << "\n";
    }
}
