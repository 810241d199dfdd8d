/**
 * Removes invisible characters: direction marks, joiners, and the byte order mark. Spreadsheets, chats and web pages
 * put them around a copied number.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '').trim();
}

/**
 * Removes invisible characters from a text of digits and spaces; any other text is unchanged, since it may have any
 * characters.
 */
export function visibleDigits(text: string): string {
  const plain = visibleText(text);
  return /^[\d\s]+$/.test(plain) ? plain : text;
}

/** As `visibleDigits`, and without spaces. */
export function tidyDigits(text: string): string {
  const plain = withoutSpaces(text);
  return /^\d+$/.test(plain) ? plain : text;
}

/** 'NO 974 760 673 MVA' → '974760673'. The first form is the one on printed documents. */
export function tidyOrgNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll('.', '');
  return /^(?:NO)?(\d{9})(?:MVA)?$/i.exec(plain)?.[1] ?? tidyDigits(text);
}

/** '+47 912 34 567' and '(0047) 91-23-45-67' → '91234567'. */
export function tidyPhoneNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll(/[().\p{Pd}]/gu, '');
  return /^(?:(?:\+|00)?47)?(\d{8})$/.exec(plain)?.[1] ?? tidyDigits(text);
}

/** '8601 11 17947' → '86011117947'. */
export function withoutSpaces(text: string): string {
  return visibleText(text).replaceAll(/\s/g, '');
}
