import { describe, expect, test } from 'vitest';

import { joinPath, toCamelCase, toSnakeKey, toWireText } from './case.ts';

// WIRE-1
describe('names on the wire', () => {
  test.each([
    ['billingAddress1', 'billing_address1'],
    ['netUnitAmount', 'net_unit_amount'],
    ['uuid', 'uuid'],
  ])('%s is %s', (camel, snake) => {
    expect(toWireText({ [camel]: 1 })).toBe(`{"${snake}":1}`);
    expect(toCamelCase({ [snake]: 1 })).toEqual({ [camel]: 1 });
  });

  test.each(['STANDARD', 'NOT_REGISTERED', '25', '12341112345'])(
    'a key that is a value stays as it is: %s',
    (key) => {
      expect(toWireText({ [key]: 1 })).toBe(`{"${key}":1}`);
      expect(toCamelCase({ [key]: 1 })).toEqual({ [key]: 1 });
      expect(toSnakeKey(key)).toBe(key);
    },
  );

  test('nested names are converted, values never', () => {
    const camel = { bankAccounts: [{ isPrimary: true, note: 'a_b aB' }], empty: null };
    expect(toCamelCase(JSON.parse(toWireText(camel)))).toEqual(camel);
  });

  test.each([
    {
      text: 'æ "\\ \u2028\n',
      none: undefined,
      list: [undefined, [], {}, null, 1.5, -0, Number.NaN],
    },
    ['å', true, false, 1e21, 0.1 + 0.2],
    'text',
    null,
  ])('the text is that of JSON.stringify: %j', (value) => {
    expect(toWireText(value)).toBe(JSON.stringify(value));
  });

  test('a hostile name cannot reach a prototype', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"is_staff": true}}');
    const converted = toCamelCase(hostile) as { isStaff?: boolean };
    expect(converted.isStaff).toBeUndefined();
    expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
  });

  // WIRE-12
  test("a path reads as the field's name does", () => {
    expect(joinPath(['bankAccounts', 0, 'bankAccountNumber'], toSnakeKey)).toBe(
      'bank_accounts[0].bank_account_number',
    );
  });
});
