/**
 * The ranges of characters in the document's fonts: starts and ends in turn, each as the distance from the previous
 * one in base 36. A test compares them with the fonts.
 */
const BORDERS =
  '0 1 c 1 i 2n x k8 2 6 4 7 1 1 1 k 1 1r e 8w 2p 1j 8 r 4 6 b 74 28 1c 6o v 1 2 6 6g w1 1m 4 t in 1 1x0 h 4 1 1 8 c1 9 3b 6y 1 7v 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 1 2t 1 c 2 r 1 d 3 x s 2 4 1 c 1 f 30 4 c 7 2 4 1 6 a f 2 5 5 3 2 2 1 3 1 3 3 4 3 1 6 b 4 2 4 b 1 a 1 1 2 1 8 2 1 1 3 1 1 3 2 2 4 1 2 1 a 5 4 5 1 5 1 1 1 2 1 3 1 3 4 6 1 5 3 1 4 2 2 2 6 2 2 1 3 4 8 2 2 9 5 6 1 2 3 l 2 2 1 e 2 a 2 i 2 l 3 a 1 1 1 3 1 1 2 c 3 3p 2 c f 1 2 a 2 d b 4 3 14 1 1o 98 5 3 1 3 1 1 2 2 1 3 1 1 2 7 1 6 e 5 8 1 b 4 1 7 2 1 4 2 1 1 2 5 3 5 1 2 2 1 3 1 3 2 8 3 5 3 5 c b h 2 e i 6 1 1 1 2 3 2 5 1 2 2 4 2 b 2 5 2 2 1 5 2 1 1 1 2 k 2 5 6 1 4 2 1 4 1 2 1 2 6 1 1 2 3 1 1 3 1 2 1 3 1 6 1 a 2 8 1 1 2 3 1 2 1 4 1 1 1 4 5 b 2 h u 1 3 9 1 e 1 e 1 14 2 96 2 3t 1 1m 2 7d 3 i 3 1f 1 4 1 1r 1 5m w 9s 3i y q 1 2h c 5y q c 4 1s 1 2e 2 2v 5 17 1 1f 1 16 1 18 4 10 c 1b 1 7g 1 58p 22 g6o 18w 2o 2o 5n 5 2 1 1 1 5 o e 73 1 1a 1 e9 1o 44 8mc 6l8 4 1 2 4 2 8 1 1 4 6 1 a 2 1 1 1 5 1 4 8 1 3 4 3 1 3 2 a 1 3 6 6 1 3 1 1 1 1 1 2 3 2 3 3 2 4 3 1 1 4 1 1 1 2 1 l 1 4 1 3 1 3 1 1 2 1 1 4 2 9 1 7 2 2 5 1 3 2 1 1 1 7 1 2 2 4 1 2 1 1 1 2 1 2 4 1 1 1 4 1 1 1 2 3 1 6 3 1 2 2 3 5 1 3 3 1 2 1 1 c 1 1 1 1 1 h 2 4h 7 m q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w h d c 6 1f 1 j 1 4 4 5 1 3r 2 1 1 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 d 2 1he 6 1 16 1 9 1fm 3 1534 v 3c5 1 5m 1 1c d 3 2l 3 1p 1l t d 18 4 9 7 2 4u y 2 34 2 2 1 3 2 2b 2 3 1 7b 1 1r b 6 1 o 7 2 2 8 c 1 2 4 2 1 4 2 d 2 2 1 8 2 9 1 5 3 c 3 8 3 2 1 1 1 4 1 6 1 3 1 6 2e 1c 1y 5 8 2 5 2 a 3 1 1 2 3 1 2 a 6b c 4 1 7v 1b 1 a 1 55 34 d 3 1z 1 1 3 i 1 d 3 c 13g 1 1 1 1u 1 47 1 xv 1 25 1 195 1 1c9 1 3c 1 cj 1 3w7 1 2ez 1 1cb 2 ay 1 re 1 f 1 1cq 1 6p 1 11 1 3f 1 23 1 220 1 1b 1 1x 1 10u 1 sf 1 nd 1 h7 1 dk 1 79 1 d0 1 ei 1 5g 1 2hc 1 16k 1 7b 1 1t 1 su 1 hb 1 s 1 96 1 o8 1 71 1 7 1 1 1 2 1 ca 1 3t 1 1k5 1 b4 1 1gt 1 4 1 8 1 1n4 1 7x 1 r 1 7s 1 5 1 x 1 11l 1 as 2 e 2 50 1 7m 1 2q 1 b 1 2 1 a 1 3q 1 b 1 2 1 25 1 3p 1 7 1 6 1 2 1 j 2 13 1 3b 2 3 1 1f 1 c 1 13 2 8 3 1 1 1 1 2w 2 m 1 1r 1 57 1 r 1 w 1 i 1 2 1 9 1 3 1 h 1 4b 1 em 1 47 1 2 1 p 1 6 1 47 1 9n 1 f 1 33 1 1d 1 e7 2 3i 1 w 1 7e 1 3 1 v 1 3m 1 b 1 r 1 36 1 1v 1 5 1 2 1 83 1 b 1 2 1 4q 1 5s 1 4 1 8 1 7 1 1 3 1 1 i 1 7 2 68 1 2 1 33 1 x 1 1n 1 63 1 4 1 2 1 h 1 j 1 2 1 i 1 6c 1 b 1 32 1 17 1 3j 1 3 2 2 1 6 2 1 1 3 1 1 1 8 1 3 1 b 2 8 1 4 1 2 1 2 1 3 1 2 1 1 1 3 1 1g 1 d 2 d 1 3r 1 8 1 45 2 6 1 1 1 2 2 6 1 3k 1 1 1 1 2 e 2 7 1 4 2 12 1 1u 1 1 1 8 1 2 1 3 1 29 1 b 1 a 1 1bk 1 6yn 1 1d 1 4di 2 b1 1 fd1f a 13 q 4 1';

/** Omitted on paper, or printed as a space. */
const WITHOUT_LOOK = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/u;
/** A fast path for nearly all texts. */
const LATIN = /^[\n -~\u00A0-\u00FF\u2013\u2014\u2018-\u201A\u201C-\u201E]*$/;

let borders: readonly number[] | undefined;

/** The characters that a document cannot show, each once: no font has them or their compatibility form (NFKC). */
export function unprintableIn(text: string): string[] {
  if (LATIN.test(text)) return [];
  const letters = Array.from(text.normalize('NFC')).filter((it) => !WITHOUT_LOOK.test(it));
  return [...new Set(letters.filter((it) => !isPrintable(it)))];
}

function isPrintable(letter: string): boolean {
  return hasFont(letter) || Array.from(letter.normalize('NFKC')).every(hasFont);
}

/** Whether a font of the document has this character. */
export function hasFont(letter: string): boolean {
  const point = letter.codePointAt(0) ?? 0;
  borders ??= readBorders();
  // An odd number of borders before it means that it is inside a range.
  let first = 0;
  for (let end = borders.length; first < end;) {
    const middle = (first + end) >>> 1;
    if ((borders[middle] ?? 0) <= point) first = middle + 1;
    else end = middle;
  }
  return first % 2 === 1;
}

function readBorders(): number[] {
  let at = 0;
  return BORDERS.split(' ').map((distance) => (at += Number.parseInt(distance, 36)));
}
