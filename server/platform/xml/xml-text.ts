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
  return text === null ? null : escaped(cleaned(text));
}

/** The same for a note: its lines stay apart, and none of it is a code. */
export function xmlNote(text: string | null): string | null {
  const lines = text?.split('\n').map(cleaned) ?? [];
  return escaped(withoutCode(lines.join('\n').trim()));
}

function cleaned(text: string): string {
  return text.toWellFormed().replaceAll(UNSPEAKABLE, ' ').replaceAll(/\s+/g, ' ').trim();
}

function escaped(text: string): string | null {
  return text === '' ? null : text.replaceAll('&', '&amp;amp;');
}

/**
 * Three characters between the first two '#' of a note have to be a code of UNCL 4451 (BR-CL-08): 'Ordre #42 #43' has
 * '42 ' there. With a space more they are text.
 */
function withoutCode(note: string): string {
  return note.replace(/^([^#]*#)(?=[^#]{3}#)/u, '$1 ');
}

/** A text for an element that must be there; a question mark stands for one without characters. */
export function requiredXmlText(text: string): string {
  return xmlText(text) ?? '?';
}
