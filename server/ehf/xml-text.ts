// XML 1.0 § 2.2 cannot say most control characters, U+FFFE and U+FFFF, not even as references. The
// others of these are allowed, discouraged, and nothing a reader could see.
const UNSPEAKABLE = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

/**
 * A text as it can stand in XML 1.0: without forbidden characters, lone surrogates as U+FFFD, white
 * space made single spaces. Null when nothing is left, because Peppol allows no empty element (R008).
 */
export function xmlText(text: string | null): string | null {
  if (text === null) return null;
  const clean = text.toWellFormed().replaceAll(UNSPEAKABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  return clean === '' ? null : clean;
}

/** A text for an element that must be there; a question mark stands for one without characters. */
export function requiredXmlText(text: string): string {
  return xmlText(text) ?? '?';
}
