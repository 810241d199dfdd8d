// XML 1.0 § 2.2 cannot say most control characters, U+FFFE and U+FFFF, not even as references. The
// others of these are allowed, discouraged, and nothing a reader could see.
const UNSPEAKABLE = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

/**
 * A text as it can stand in XML 1.0: without forbidden characters, lone surrogates as U+FFFD, white
 * space made single spaces. Null when nothing is left, because Peppol allows no empty element (R008).
 *
 * xmlbuilder2 resolves references in what it is given, and then writes as it is what still looks like
 * one: '&e;' would come out as an entity that nobody declared, and the whole document be no XML. So
 * every '&' is written out twice: what it resolves is text again, and what it leaves alone is '&amp;'.
 */
export function xmlText(text: string | null): string | null {
  if (text === null) return null;
  const clean = text.toWellFormed().replaceAll(UNSPEAKABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  return clean === '' ? null : clean.replaceAll('&', '&amp;amp;');
}

/** The same of several lines, which stay apart. */
export function xmlLines(text: string | null): string | null {
  const lines = text?.split('\n').map((line) => xmlText(line) ?? '') ?? [];
  const whole = lines.join('\n').trim();
  return whole === '' ? null : whole;
}

/** A text for an element that must be there; a question mark stands for one without characters. */
export function requiredXmlText(text: string): string {
  return xmlText(text) ?? '?';
}
