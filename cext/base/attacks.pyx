"""Attack tables: leapers from geometry, sliders by bit extraction or by magic multiplication (CPW: Magic Bitboards).

The magic numbers were found for this project by random trial with a seeded generator.
"""

from .bits cimport FILE_A, FILE_H, RANK_1, RANK_8, bit, popcount, uint64_t

cdef uint64_t ROOK_MAGICS[64]
cdef uint64_t BISHOP_MAGICS[64]

ROOK_MAGICS[:] = [
    0x0880036480400430ULL, 0x0840001000402000ULL, 0x0100081040200101ULL, 0x4080058008011000ULL,
    0x2080020400808800ULL, 0x0200010408020010ULL, 0x8080008001000200ULL, 0x0d00060880406100ULL,
    0x0400800040008021ULL, 0x0042002201004085ULL, 0x4203004100200014ULL, 0x8004801004080080ULL,
    0x0a41000803001004ULL, 0x1000800400800200ULL, 0x4042000108040200ULL, 0x60820000412a0094ULL,
    0x9004208000401480ULL, 0x08b0124000200040ULL, 0x0000848020001004ULL, 0x0010004008004400ULL,
    0x0000808008000400ULL, 0x0005010008040002ULL, 0x1820140061021008ULL, 0x0000020000409104ULL,
    0x0140002080008040ULL, 0x8800200280400080ULL, 0x00a0004040100801ULL, 0x00c0220200400810ULL,
    0x0804000480080080ULL, 0x88020006000c0810ULL, 0x12000884000a3910ULL, 0x08602282000d4401ULL,
    0x0080002000404000ULL, 0x0000804000802001ULL, 0x0000801000802000ULL, 0x4010810801801002ULL,
    0x0800080101000410ULL, 0x4802001012004884ULL, 0x0402020001010004ULL, 0x0002009102000044ULL,
    0x800a401061808002ULL, 0x0201008200420020ULL, 0x0000820040220010ULL, 0x0240420008220010ULL,
    0x80a1000800650012ULL, 0x0040040002008080ULL, 0x1921100801840002ULL, 0x0209304084060011ULL,
    0x0001002040820200ULL, 0x00d0804000200080ULL, 0x1120022110008280ULL, 0x40c0801000080080ULL,
    0x0840080004008080ULL, 0x0411008824000300ULL, 0x6022080210010400ULL, 0x0040041080510200ULL,
    0x00232302800410c1ULL, 0x0041001022004882ULL, 0x0003204200900882ULL, 0x0001002004100009ULL,
    0x2402000920041002ULL, 0x1012000844411002ULL, 0x000006300098010cULL, 0x4080040020884102ULL,
]
BISHOP_MAGICS[:] = [
    0x001210100d890040ULL, 0x0048020c04202804ULL, 0x4832082041001001ULL, 0x0004404080022c05ULL,
    0x00040504a0101004ULL, 0x200201100a081840ULL, 0x0000841002100000ULL, 0x0400840041104840ULL,
    0x0002100430240052ULL, 0x0a00040808490021ULL, 0x0420041104210080ULL, 0x0050040410800012ULL,
    0x1020020210000484ULL, 0x0280088820080208ULL, 0x0a01840241042004ULL, 0x0200c08400880440ULL,
    0x044014b00411d408ULL, 0x4214a08810108601ULL, 0xc04c010800340011ULL, 0x1488010520414110ULL,
    0x0228210402080500ULL, 0x0010800410043108ULL, 0x2040414082082006ULL, 0x0400440212020104ULL,
    0x4004849011b01000ULL, 0x8682608010010208ULL, 0x0494021050008410ULL, 0x2102002022008200ULL,
    0x0001004004004048ULL, 0x0002120084090100ULL, 0x0000840002020220ULL, 0x00388200c0310408ULL,
    0x08882940a8082202ULL, 0x0002080282201284ULL, 0x0492841000010340ULL, 0x0000060080080380ULL,
    0x01c0004010050100ULL, 0x0600980200004101ULL, 0x8004041040140101ULL, 0x8004008202022901ULL,
    0x8002589940400800ULL, 0x0002a80110020882ULL, 0x1040a09410001201ULL, 0x094285c201800809ULL,
    0x0040081100480c02ULL, 0x801233b000800100ULL, 0x80138e0602028400ULL, 0x0010c08200850040ULL,
    0x4002841008460004ULL, 0x0210308410080012ULL, 0x0001144108212011ULL, 0x3140200442020801ULL,
    0x0050108820884682ULL, 0x0050204202920000ULL, 0x20081004408c0402ULL, 0x0a080841004a0240ULL,
    0x400a048401191040ULL, 0x1108850909100229ULL, 0x0010150020841000ULL, 0x0a089000c0840401ULL,
    0x4050280040504101ULL, 0x9610001220510100ULL, 0x0810101011881080ULL, 0x0004604404420140ULL,
]

cdef uint64_t SLIDER_TABLE[107648]    # 102,400 rook and 5,248 bishop entries

cdef int[8] ROOK_STEPS = [0, 1, 1, 0, 0, -1, -1, 0]      # (file, rank) pairs
cdef int[8] BISHOP_STEPS = [1, 1, 1, -1, -1, 1, -1, -1]
cdef int[16] KNIGHT_STEPS = [1, 2, 2, 1, 2, -1, 1, -2, -1, -2, -2, -1, -2, 1, -1, 2]


cdef uint64_t step(int sq, int file_step, int rank_step) noexcept nogil:
    """The square one step away as a bitboard, or 0 outside the board."""
    cdef int file = (sq & 7) + file_step
    cdef int rank = (sq >> 3) + rank_step
    return bit(rank * 8 + file) if 0 <= file < 8 and 0 <= rank < 8 else 0


cdef uint64_t ray(int sq, int file_step, int rank_step, uint64_t occupied) noexcept nogil:
    """Squares in one direction up to the first piece, which is included."""
    cdef uint64_t seen = 0, next_sq
    cdef int distance = 1
    while True:
        next_sq = step(sq, file_step * distance, rank_step * distance)
        seen |= next_sq
        if next_sq == 0 or next_sq & occupied:
            return seen
        distance += 1


cdef uint64_t slide(int sq, const int* steps, uint64_t occupied) noexcept nogil:
    cdef uint64_t seen = 0
    cdef int i
    for i in range(4):
        seen |= ray(sq, steps[2 * i], steps[2 * i + 1], occupied)
    return seen


cdef uint64_t* fill_slider(Slider* slider, int sq, const int* steps, uint64_t magic, uint64_t* table) noexcept nogil:
    cdef uint64_t edges = (((RANK_1 | RANK_8) & ~(RANK_1 << (sq & 56)))
                           | ((FILE_A | FILE_H) & ~(FILE_A << (sq & 7))))
    cdef uint64_t occupied = 0
    slider.mask = slide(sq, steps, 0) & ~edges
    slider.magic = magic
    slider.shift = 64 - popcount(slider.mask)
    slider.table = table
    while True:                                    # every subset of the mask (CPW: Traversing Subsets of a Set)
        table[slider_index(occupied, slider.mask, magic, slider.shift)] = slide(sq, steps, occupied)
        occupied = (occupied - slider.mask) & slider.mask
        if occupied == 0:
            return table + (<uint64_t> 1 << popcount(slider.mask))


cdef void fill_leapers(int sq) noexcept nogil:
    cdef int i, file_step
    for i in range(8):
        KNIGHT_ATTACKS[sq] |= step(sq, KNIGHT_STEPS[2 * i], KNIGHT_STEPS[2 * i + 1])
    for i in range(4):
        KING_ATTACKS[sq] |= step(sq, ROOK_STEPS[2 * i], ROOK_STEPS[2 * i + 1])
        KING_ATTACKS[sq] |= step(sq, BISHOP_STEPS[2 * i], BISHOP_STEPS[2 * i + 1])
    for file_step in range(-1, 2, 2):
        PAWN_ATTACKS[0][sq] |= step(sq, file_step, 1)
        PAWN_ATTACKS[1][sq] |= step(sq, file_step, -1)


cdef void fill_lines(int sq, const int* steps) noexcept nogil:
    cdef int i, distance, other
    cdef uint64_t target, line
    for i in range(4):
        line = (bit(sq) | ray(sq, steps[2 * i], steps[2 * i + 1], 0) | ray(sq, -steps[2 * i], -steps[2 * i + 1], 0))
        distance = 1
        while True:
            target = step(sq, steps[2 * i] * distance, steps[2 * i + 1] * distance)
            if target == 0:
                break
            other = sq + (steps[2 * i] + 8 * steps[2 * i + 1]) * distance
            LINE[sq][other] = line
            BETWEEN[sq][other] = (ray(sq, steps[2 * i], steps[2 * i + 1], target) & ~target)
            distance += 1


cdef void fill_tables() noexcept nogil:
    cdef uint64_t* table = &SLIDER_TABLE[0]
    cdef int sq, other
    for sq in range(64):
        fill_leapers(sq)
        fill_lines(sq, ROOK_STEPS)
        fill_lines(sq, BISHOP_STEPS)
        table = fill_slider(&ROOKS[sq], sq, ROOK_STEPS, ROOK_MAGICS[sq], table)
        table = fill_slider(&BISHOPS[sq], sq, BISHOP_STEPS, BISHOP_MAGICS[sq], table)
        for other in range(64):
            DISTANCE[sq][other] = max(abs((sq & 7) - (other & 7)), abs((sq >> 3) - (other >> 3)))


fill_tables()
