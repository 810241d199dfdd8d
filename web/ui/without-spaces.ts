/** People write 923 609 016, 22 33 44 55 and 8601 11 17947; the rules count digits. */
export function withoutSpaces(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/\s/g, '') : value;
}
