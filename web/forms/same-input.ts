/** Deep equality of form input. null, '' and undefined are equal. */
export function isSameInput(left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (!isObject(left) || !isObject(right)) return Object.is(left, right);
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return false;
  return changedFields(left, right).length === 0;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The names of the fields that differ. */
export function changedFields(left: object, right: object): string[] {
  const [one, other] = [fieldsOf(left), fieldsOf(right)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => !isSameInput(one.get(name), other.get(name)));
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value));
}
