type Json = unknown;

/** A key that is a value, such as the name of a VAT treatment, is the same on the wire: 'NOT_REGISTERED'. */
const VALUE = /^[A-Z][A-Z_]+$/;

/** 'billingAddress1' → 'billing_address1', 'netUnitAmount' → 'net_unit_amount'. */
export function toSnakeKey(key: string): string {
  if (VALUE.test(key)) return key;
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** 'billing_address1' → 'billingAddress1'. A leading underscore stays as it is. */
export function toCamelKey(key: string): string {
  // Most names are one word: skip the regular expression.
  if (!key.includes('_')) return key;
  return key.replaceAll(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

// The code writes few names, and a list repeats them hundreds of times.
const snakeKeys = new Map<string, string>();

/** `toSnakeKey` with a cache. For names that the code writes, not for names from outside: the cache never shrinks. */
export function snakeKeyOnce(key: string): string {
  let snake = snakeKeys.get(key);
  if (snake === undefined) {
    snake = toSnakeKey(key);
    snakeKeys.set(key, snake);
  }
  return snake;
}

/**
 * Copies a JSON value that we made ourselves, with every property name in snake_case, as on the wire. It caches the
 * names: do not use it for input from others.
 */
export function toSnakeCase(value: Json): Json {
  return mapKeys(value, snakeKeyOnce);
}

/** Copies a JSON value with every property name in camelCase, as in the code. */
export function toCamelCase(value: Json): Json {
  return mapKeys(value, toCamelKey);
}

function mapKeys(value: Json, rename: (key: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename));
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = rename(key);
    // Assigning to a hostile '__proto__' would change the object; it stays plain data.
    if (name === '__proto__') Object.defineProperty(copy, name, ownProperty(mapKeys(item, rename)));
    else copy[name] = mapKeys(item, rename);
  }
  return copy;
}

function ownProperty(value: Json): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

/** ['bankAccounts', 0, 'bankAccountNumber'] → 'bankAccounts[0].bankAccountNumber'. */
export function joinPath(
  path: readonly PropertyKey[],
  rename: (key: string) => string = (key) => key,
): string {
  return path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`;
    const key = rename(String(part));
    return joined === '' ? key : `${joined}.${key}`;
  }, '');
}

/** `joinPath` in snake_case, as the wire names a field. */
export function wirePath(path: readonly PropertyKey[]): string {
  return joinPath(path, toSnakeKey);
}
