/** Longest name of a file, in characters. */
const CHARACTERS_MAX = 100;
/** Longest name of a file on Linux, in bytes of UTF-8. */
const BYTES_MAX = 255;

/** Forbidden on Windows; the last ones turn the direction of a text, so that a name shows another ending. */
const FORBIDDEN = /[<>:"|?*\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Names of devices, which Windows opens instead of a file, whatever the ending (Microsoft, 'Naming Files'). */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)\s*(\.|$)/i;
const ENDING = /\.[a-z0-9]{1,5}$/i;

/**
 * A name that Windows, macOS and Linux can all give a file: without folders, forbidden characters and names of
 * devices, and with a number before its ending when the name is taken ('foto (2).jpg').
 *
 * @param taken the names beside it, each as `fileNameKey`
 */
export function safeFileName(given: string, taken: ReadonlySet<string> = new Set()): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replaceAll(FORBIDDEN, '_').replaceAll(/^[\s.]+|[\s.]+$/g, '') || 'vedlegg';
  const [ending = ''] = ENDING.exec(clean) ?? [];
  const stem = clean.slice(0, clean.length - ending.length);
  for (let number = 1; ; number += 1) {
    const end = `${number === 1 ? '' : ` (${number})`}${ending}`;
    const name = cut(stem, end.length).trimEnd() + end;
    const safe = DEVICE.test(name) ? `_${name}` : name;
    if (!taken.has(fileNameKey(safe))) return safe;
  }
}

/** Two names with the same key are one file on Windows and macOS. */
export function fileNameKey(name: string): string {
  // Both ways: some letters are equal in only one of the cases ('ẞ' and 'ß').
  return name.normalize('NFC').toLowerCase().toUpperCase();
}

/** The beginning of a text that leaves room for `reserved` characters of ASCII. */
function cut(text: string, reserved: number): string {
  const start = Array.from(text)
    .slice(0, CHARACTERS_MAX - reserved)
    .join('');
  const { read } = new TextEncoder().encodeInto(start, new Uint8Array(BYTES_MAX - reserved));
  return start.slice(0, read);
}
