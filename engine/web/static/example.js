// A game to try the page Study with. The comments are ours; the evaluations and symbols come from `standstill
// annotate`.

export const EXAMPLE = `[Event "Paris, at the opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Paul Morphy"]
[Black "Duke of Brunswick and Count Isouard"]
[Result "1-0"]
[Annotator "Standstill 1.0.0, 400000 nodes, x05 0.98"]

1. e4 e5 2. Nf3 d6 { [%eval 0.25,19] } 3. d4 $14 { [%eval 0.25,19] } 3... Bg4
$16 {Black pins the knight, but will have to give up the bishop for it.
[%eval 0.64,20] } 4. dxe5 { [%eval 0.59,20] } 4... Bxf3 { [%eval 0.92,20] } 5.
Qxf3 { [%eval 0.84,19] } 5... dxe5 { [%eval 0.78,18] } 6. Bc4
{ [%eval 0.74,17] } 6... Nf6 $18 { [%eval 1.37,19] } 7. Qb3 {A double attack on f7 and b7.
[%eval 1.40,16] } 7... Qe7 { [%eval 1.37,18] } 8. Nc3 { [%eval 1.21,17] } 8... c6
{ [%eval 1.09,17] } 9. Bg5 { [%eval 1.35,19] } 9... b5 $20 { [%eval 2.02,20] }
10. Nxb5 $1 { [%eval 2.11,18] } 10... cxb5 { [%eval 4.83,20] } 11. Bxb5+
{ [%eval 4.96,16] } 11... Nbd7 { [%eval 4.96,16] } 12. O-O-O
{ [%eval 5.07,19] } 12... Rd8 { [%eval 7.41,19] } 13. Rxd7 $1
{ [%eval 7.10,17] } 13... Rxd7 { [%eval 8.34,16] } 14. Rd1 { [%eval 8.24,18] } 14...
Qe6 { [%eval 16.30,18] } 15. Bxd7+ { [%eval 14.30,18] } 15... Nxd7
{ [%eval #2,236] } 16. Qb8+ $1 {The queen is given up, and two pieces mate.
[%eval #2,21] } 16... Nxb8 { [%eval #1,236] } 17. Rd8# { [%eval #0] } 1-0
`;
