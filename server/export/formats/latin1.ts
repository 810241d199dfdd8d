/** Characters without a counterpart in Latin-1 that Unicode does not take apart, and what is written for them. */
const SUBSTITUTES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Ł: 'L',
    ł: 'l',
    Đ: 'D',
    đ: 'd',
    Ħ: 'H',
    ħ: 'h',
    Ŧ: 'T',
    ŧ: 't',
    Ŋ: 'N',
    ŋ: 'n',
    ı: 'i',
    Œ: 'OE',
    œ: 'oe',
    ẞ: 'SS',
    '€': 'EUR',
    '‐': '-',
    '‑': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    '‘': "'",
    '’': "'",
    '‚': "'",
    '“': "'",
    '”': "'",
    '„': "'",
    '•': '-',
  }),
);

/** All of Latin-1 but the soft hyphen, which is invisible. */
const LATIN1 = /^[\0-\u00AC\u00AE-\u00FF]*$/;

/**
 * A text of a file with `;` between fields, in Latin-1 and in one line, cut to its longest length. Letters with marks lose
 * them, other scripts are '?', and pictures are left out. It has no `;` and no quote, and spreadsheets never take it for a
 * formula.
 */
export function latin1Field(text: string | null, longest: number): string {
  if (text === null) return '';
  const letters = text.normalize('NFC');
  return (LATIN1.test(letters) ? letters : Array.from(letters, latin1Letter).join(''))
    .replaceAll('"', "'")
    .replaceAll(/[;\s\p{Cc}]+/gu, ' ')
    .replace(/^[\s=+@-]+/, '')
    .slice(0, longest)
    .trim();
}

function latin1Letter(letter: string): string {
  if (/\p{Cf}/u.test(letter)) return '';
  if (letter <= '\u00FF') return letter;
  if (/\s/.test(letter)) return ' ';
  const parts = SUBSTITUTES.get(letter) ?? letter.normalize('NFKD').replaceAll(/[^ -\u00FF]/g, '');
  return parts === '' && /[\p{L}\p{N}]/u.test(letter) ? '?' : parts;
}
