export type Fields = Readonly<Record<string, unknown>>;

/** Deep equality of form input. null, '' and undefined are equal. */
export function isSameInput(left: unknown, right: unknown): boolean {
  return textOf(left) === textOf(right);
}

/** The names of the fields that differ. */
export function changedFields(left: Fields, right: Fields): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => !isSameInput(left[name], right[name]));
}

/** `next`, with the typed fields: those that differ from the reference. */
export function withTyped<T extends Fields>(next: T, typed: T, reference: T): T {
  const fields = changedFields(typed, reference).map((field) => [field, typed[field]] as const);
  return { ...next, ...Object.fromEntries(fields) };
}

function textOf(input: unknown): string | undefined {
  return JSON.stringify(input, (_, value: unknown) => {
    if (value === null || value === '') return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return value;
    const sorted = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(sorted);
  });
}
