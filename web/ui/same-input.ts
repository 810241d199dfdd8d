/** Whether two inputs mean the same: nothing is nothing, whether null, '' or absent. */
export function isSameInput(left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (typeof left !== 'object' || typeof right !== 'object') return Object.is(left, right);
  const [one, other] = [left, right] as Record<string, unknown>[];
  if (one === undefined || other === undefined) return false;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSameInput(one[key], other[key]));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The fields that differ. */
export function changedFields(left: object, right: object): string[] {
  const [one, other] = [left, right] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => !isSameInput(one[key], other[key]));
}
