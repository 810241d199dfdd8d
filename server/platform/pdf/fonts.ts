import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The faces on the paper. Typst takes for each character the first family of this order that has
 * it: Space Grotesk for the language of the land, Noto for the names that people bring with them.
 * The fonts are under the SIL Open Font License 1.1, which allows to embed them.
 */
const FACES: readonly { readonly family: string; readonly files: readonly string[] }[] = [
  {
    family: 'Space Grotesk',
    files: [
      'space-grotesk/400Regular/SpaceGrotesk_400Regular.ttf',
      'space-grotesk/500Medium/SpaceGrotesk_500Medium.ttf',
      'space-grotesk/700Bold/SpaceGrotesk_700Bold.ttf',
    ],
  },
  {
    family: 'Noto Sans',
    files: [
      'noto-sans/400Regular/NotoSans_400Regular.ttf',
      'noto-sans/500Medium/NotoSans_500Medium.ttf',
      'noto-sans/700Bold/NotoSans_700Bold.ttf',
    ],
  },
  {
    family: 'Noto Sans Arabic',
    files: ['noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'],
  },
  {
    family: 'Noto Sans Hebrew',
    files: ['noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'],
  },
  { family: 'Noto Sans Thai', files: ['noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'] },
  { family: 'Noto Sans SC', files: ['noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'] },
  { family: 'NanumGothic', files: ['nanum-gothic/400Regular/NanumGothic_400Regular.ttf'] },
  { family: 'Noto Emoji', files: ['noto-emoji/400Regular/NotoEmoji_400Regular.ttf'] },
];

/** The families in the order in which they are tried. */
export const FONT_FAMILIES: readonly string[] = FACES.map(({ family }) => family);

/** Where the font files are, in the order of the families. */
export function fontFiles(): string[] {
  return FACES.flatMap(({ files }) => files).map((file) =>
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`)),
  );
}

/** The font files' contents, in the order of the families. */
export function readFonts(): Buffer[] {
  return fontFiles().map((file) => fs.readFileSync(file));
}

const CODE_POINTS = 0x110000;
const PRIVATE_USE = [
  [0xe000, 0xf900],
  [0xf0000, CODE_POINTS],
] as const;
const FORMAT_BMP = 4;
const FORMAT_FULL = 12;

/** Which characters a font has a glyph for. */
export interface FontCoverage {
  has(codePoint: number): boolean;
}

/**
 * Reads which characters a font can show from its `cmap` table (OpenType 1.9, formats 4 and 12).
 * Typst refuses to write PDF/A with a character that no font can show, so it must be known before.
 */
export function coverageOf(font: Buffer): FontCoverage {
  const covered = new BitSet();
  for (const subtable of subtables(cmapOf(font))) {
    const format = subtable.readUInt16BE(0);
    if (format === FORMAT_BMP) addBmp(subtable, covered);
    if (format === FORMAT_FULL) addFull(subtable, covered);
  }
  // Fonts keep pieces of letters in the private use areas; PDF/A-3a forbids them as text
  // (ISO 19005-3 § 6.2.11.7.3).
  for (const [first, end] of PRIVATE_USE) covered.clear(first, end);
  return covered;
}

/** A bit for each character: 136 kB, where a byte for each would take a megabyte a font and process. */
class BitSet implements FontCoverage {
  readonly #words = new Uint32Array(CODE_POINTS / 32);

  has(codePoint: number): boolean {
    return ((this.#words[codePoint >>> 5] ?? 0) & (1 << (codePoint & 31))) !== 0;
  }

  add(codePoint: number): void {
    this.#words[codePoint >>> 5] = (this.#words[codePoint >>> 5] ?? 0) | (1 << (codePoint & 31));
  }

  /** Both ends are multiples of 32. */
  clear(first: number, end: number): void {
    this.#words.fill(0, first >>> 5, end >>> 5);
  }
}

function cmapOf(font: Buffer): Buffer {
  const tables = font.readUInt16BE(4);
  for (let index = 0; index < tables; index++) {
    const record = 12 + index * 16;
    if (font.toString('latin1', record, record + 4) === 'cmap') {
      return font.subarray(font.readUInt32BE(record + 8));
    }
  }
  throw new Error('The font has no cmap table');
}

function subtables(cmap: Buffer): Buffer[] {
  return Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4)),
  );
}

function addBmp(table: Buffer, covered: BitSet): void {
  const size = table.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + size * 2, 16 + size * 3];
  for (let segment = 0; segment < size; segment += 2) {
    const end = table.readUInt16BE(ends + segment);
    const start = table.readUInt16BE(starts + segment);
    const delta = table.readUInt16BE(deltas + segment);
    const offset = table.readUInt16BE(offsets + segment);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph =
        offset === 0
          ? code + delta
          : table.readUInt16BE(offsets + segment + offset + (code - start) * 2);
      if ((glyph & 0xffff) !== 0) covered.add(code);
    }
  }
}

function addFull(table: Buffer, covered: BitSet): void {
  const groups = table.readUInt32BE(12);
  for (let group = 0; group < groups; group++) {
    const at = 16 + group * 12;
    const end = table.readUInt32BE(at + 4);
    for (let code = table.readUInt32BE(at); code <= end; code++) covered.add(code);
  }
}
