// XML 1.0 § 2.2 forbids most control characters and the noncharacters, even as references.
const UNSPEAKABLE = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A fast path for nearly all texts: nothing to escape, and single spaces between words. */
const PLAIN = /^[!-%'-;=?-~\u00A1-\u00FF]+(?: [!-%'-;=?-~\u00A1-\u00FF]+)*$/;

/** An element with elements in it, in the order of the schema; null is left out. Without any it is left out itself. */
export function element(name: string, ...content: readonly (string | null)[]): string | null {
  let inner = '';
  for (const part of content) if (part !== null) inner += part;
  return inner === '' ? null : `<${name}>${inner}</${name}>`;
}

/** An element with a text in one line, cut to its longest length in characters. One without a text is left out. */
export function textElement(name: string, text: string | null, longest: number): string | null {
  if (text === null) return null;
  if (text.length <= longest && PLAIN.test(text)) return `<${name}>${text}</${name}>`;
  const line = text.toWellFormed().replaceAll(UNSPEAKABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  // In code points, as XML counts; a text of fewer units has fewer of them.
  const cut = line.length <= longest ? line : Array.from(line).slice(0, longest).join('').trim();
  return element(
    name,
    cut.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign),
  );
}
