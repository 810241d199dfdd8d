type Json = unknown;

/** A key that is a value, such as the name of a VAT treatment, is the same on the wire: 'NOT_REGISTERED'. */
const VALUE = /^[A-Z][A-Z_]+$/;

/** Names in the JSON forms of WebAuthn Level 3 § 5.1, which its clients write and read as they are. */
const WEBAUTHN = new Set([
  'allowCredentials',
  'attestationObject',
  'authenticatorData',
  'authenticatorSelection',
  'clientDataJSON',
  'displayName',
  'excludeCredentials',
  'pubKeyCredParams',
  'requireResidentKey',
  'residentKey',
  'rpId',
  'userHandle',
  'userVerification',
]);

/** 'billingAddress1' → 'billing_address1', 'netUnitAmount' → 'net_unit_amount'. */
export function toSnakeKey(key: string): string {
  if (VALUE.test(key) || WEBAUTHN.has(key)) return key;
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** 'billing_address1' → 'billingAddress1'. A leading underscore stays as it is. */
export function toCamelKey(key: string): string {
  // Most names are one word: skip the regular expression.
  if (!key.includes('_')) return key;
  return key.replaceAll(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

// The code writes few names, and a list repeats them hundreds of times. As JSON text, with its colon.
const wireNames = new Map<string, string>();

function wireName(key: string): string {
  let name = wireNames.get(key);
  if (name === undefined) {
    name = `${JSON.stringify(toSnakeKey(key))}:`;
    wireNames.set(key, name);
  }
  return name;
}

/**
 * Writes a JSON value that we made ourselves, with every property name in snake_case, as on the wire. A renamed copy for
 * `JSON.stringify` would take twice as long. It caches the names: do not use it for input from others.
 */
export function toWireText(value: Json): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value === null) return 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '' : ',') + toWireText(item);
    return `[${text}]`;
  }
  for (const key in value) {
    const item = (value as Record<string, Json>)[key];
    if (item !== undefined) text += (text === '' ? '' : ',') + wireName(key) + toWireText(item);
  }
  return `{${text}}`;
}

/** Copies a JSON value with every property name in camelCase, as in the code. */
export function toCamelCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = toCamelKey(key);
    // Assigning to a hostile '__proto__' would change the object; it stays plain data.
    if (name === '__proto__') Object.defineProperty(copy, name, ownProperty(toCamelCase(item)));
    else copy[name] = toCamelCase(item);
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
