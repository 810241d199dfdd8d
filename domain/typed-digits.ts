/**
 * A text without characters that nobody sees: marks of direction, joiners, and the mark at the start of a file.
 * Spreadsheets, chats and web pages put them around a number that is copied.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '').trim();
}

/** A text of digits and spaces without what nobody sees; another as it stands, since any characters are allowed. */
export function visibleDigits(text: string): string {
  const plain = visibleText(text);
  return /^[\d\s]+$/.test(plain) ? plain : text;
}

/** The same without spaces. */
export function tidyDigits(text: string): string {
  const plain = withoutSpaces(text);
  return /^\d+$/.test(plain) ? plain : text;
}

/** 'NO 974 760 673 MVA' → '974760673', as it is written on papers. */
export function tidyOrgNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll('.', '');
  return /^(?:NO)?(\d{9})(?:MVA)?$/i.exec(plain)?.[1] ?? tidyDigits(text);
}

/** '+47 912 34 567' and '(0047) 91-23-45-67' → '91234567'. */
export function tidyPhoneNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll(/[().\p{Pd}]/gu, '');
  return /^(?:(?:\+|00)?47)?(\d{8})$/.exec(plain)?.[1] ?? tidyDigits(text);
}

/** 8601 11 17947 → 86011117947. */
export function withoutSpaces(text: string): string {
  return visibleText(text).replaceAll(/\s/g, '');
}
