import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createTemplate,
  CUSTOMER,
  invoiceBody,
  line,
  LINES,
  PROFILE,
} from '../../testing/factories.ts';
import { TEST_FEATURES } from '../../testing/process.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;
let template: number;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
  template = await createTemplate(client);
});
afterAll(async () => testApp.close());

/** A wrong value of one field, the message, and the blamed field if it differs. */
type Fault = readonly [field: string, value: unknown, message: string, blamed?: string];

const NUL = String.fromCharCode(0);
const LONE_SURROGATE = String.fromCharCode(0xd800);

/** Every value that is not a text, and every text that cannot be stored. */
function textFaults(field: string, longest = 255): Fault[] {
  return [
    [field, 7, `${field} must be a string`],
    [field, true, `${field} must be a string`],
    [field, ['a'], `${field} must be a string`],
    [field, { a: 1 }, `${field} must be a string`],
    [field, `a${NUL}bcdefgh`, `${field} must not contain control characters`],
    [field, 'a\u001Bbcdefgh', `${field} must not contain control characters`],
    [field, 'a\nbcdefgh', `${field} must not contain control characters`],
    [field, `abc${LONE_SURROGATE}abcde`, `${field} must be valid Unicode text`],
    [field, 'a'.repeat(longest + 1), `${field} must be at most ${longest} characters`],
  ];
}

function missing(field: string): Fault[] {
  return [undefined, null, ''].map((value) => [field, value, `${field} is a required field`]);
}

const requiredText = (field: string, longest?: number): Fault[] => [
  ...missing(field),
  [field, '   ', `${field} is a required field`],
  ...textFaults(field, longest),
];

function exactText(field: string, length: number): Fault[] {
  return ['1'.repeat(length - 1), '1'.repeat(length + 1)].map((value) => [
    field,
    value,
    `${field} must be exactly ${length} characters`,
  ]);
}

function emailFaults(field: string): Fault[] {
  return [
    'a',
    'a@',
    '@b.no',
    'a b@c.no',
    'a@b',
    'a@b..no',
    'a@@b.no',
    'ø@b.no',
    '.a@b.no',
    'a..b@c.no',
    'a@-b.no',
    'a@b.no.',
    '<a@b.no>',
    'a@b.no,c@d.no',
    `${'a'.repeat(65)}@b.no`,
  ].map((value) => [field, value, `${field} must be a valid email`]);
}

function wholeNumberFaults(field: string, most: number): Fault[] {
  return [
    [field, '1', `${field} must be a number`],
    [field, true, `${field} must be a number`],
    [field, [1], `${field} must be a number`],
    [field, 0, `${field} must be a positive number`],
    [field, -1, `${field} must be a positive number`],
    [field, 1.5, `${field} must be an integer`],
    [field, most + 1, `${field} must be less than or equal to ${most}`],
    [field, 1e300, `${field} must be less than or equal to ${most}`],
  ];
}

function booleanFaults(field: string): Fault[] {
  return ['true', 1, []].map((value) => [field, value, `${field} must be a boolean`]);
}

const WHOLE_FAULTS: [string, unknown, string][] = [
  ['invoiced_quantity', 0, 'must be greater than or equal to 1'],
  ['invoiced_quantity', 1.5, 'must be an integer'],
];
/** The rates that lines may have. */
const RATES = TEST_FEATURES === 'all' ? '0, 6, 12, 15, 25' : '0, 15, 25';

const DECIMAL_FAULTS: [string, unknown, string][] = [
  ['invoiced_quantity', 0, 'must be greater than or equal to 0.001'],
  ['invoiced_quantity', 1.0005, 'must have at most three decimals'],
  ['unit', 'hour', 'must be a code of UN/ECE Recommendation 20'],
];

function lineFaults(list: string): Fault[] {
  const valid = line('Vare', 10, 25);
  const faults: [string, unknown, string][] = [
    ...['invoiced_quantity', 'description', 'net_unit_amount', 'vat_rate_percentage'].flatMap(
      (field) =>
        [undefined, null, ''].map((value): [string, unknown, string] => [
          field,
          value,
          'is a required field',
        ]),
    ),
    ...(TEST_FEATURES === 'all' ? DECIMAL_FAULTS : WHOLE_FAULTS),
    ['invoiced_quantity', '1', 'must be a number'],
    ['invoiced_quantity', 2 ** 53, 'must be less than or equal to 9007199254740991'],
    ['invoiced_quantity', 1e308, 'must be less than or equal to 9007199254740991'],
    ['description', 'a'.repeat(1001), 'must be at most 1000 characters'],
    ['description', `a${NUL}`, 'must not contain control characters'],
    ['net_unit_amount', '10', 'must be a number'],
    ['net_unit_amount', 1.005, 'must have at most two decimals'],
    ['net_unit_amount', 0.1 + 0.2, 'must have at most two decimals'],
    ['net_unit_amount', 90071992547409.92, 'is too large'],
    ['net_unit_amount', -90071992547409.92, 'is too large'],
    ['net_unit_amount', 1.7e308, 'is too large'],
    ['net_unit_amount', 90071992547409.91, 'times the quantity is too large'],
    ['vat_rate_percentage', 24, `must be one of the following values: ${RATES}`],
    ['vat_rate_percentage', '25', `must be one of the following values: ${RATES}`],
    ['vat_rate_percentage', 25.5, `must be one of the following values: ${RATES}`],
  ];
  return [
    ...missing(list),
    [list, [], `${list} field must have at least 1 items`],
    [list, {}, `${list} must be a list`],
    [list, 'lines', `${list} must be a list`],
    [list, [null], `${list}[0] is a required field`, `${list}[0]`],
    [list, [[]], `${list}[0] must be an object`, `${list}[0]`],
    [
      list,
      Array.from({ length: 1001 }, () => valid),
      `${list} field must have less than or equal to 1000 items`,
    ],
    ...faults.map(([field, value, rule]): Fault => {
      const path = `${list}[1].${field}`;
      return [list, [valid, { ...valid, [field]: value }], `${path} ${rule}`, path];
    }),
  ];
}

const DELIVERY_TYPES = 'must be one of the following values: NONE, EMAIL, EHF, EFAKTURA';
const ACCOUNT = 'Bank account number must be in the format "1234.11.12345" or "12341112345"';

function accountFaults(): Fault[] {
  const list = 'bank_accounts';
  const number = `${list}[0].bank_account_number`;
  const wrong = [
    '1234.1.112345',
    '1234 11 12345',
    '1234111234',
    '123411123456',
    '1234.1112345',
    'x',
  ];
  return [
    ...missing(list),
    [list, [], `${list} field must have at least 1 items`],
    [list, 'x', `${list} must be a list`],
    [list, [{ is_primary: true }], `${number} is a required field`, number],
    [list, [{ bank_account_number: '' }], `${number} is a required field`, number],
    [list, [{ bank_account_number: 12341112345 }], `${number} must be a string`, number],
    ...wrong.map((value): Fault => [list, [{ bank_account_number: value }], ACCOUNT, number]),
    [
      list,
      [{ bank_account_number: '12341112345', is_primary: 'yes' }],
      `${list}[0].is_primary must be a boolean`,
      `${list}[0].is_primary`,
    ],
    [
      list,
      [
        { bank_account_number: '12341112345', is_primary: true },
        { bank_account_number: '12345678903', is_primary: true },
      ],
      `${list} must have only one primary account`,
    ],
    [
      list,
      [{ bank_account_number: '12341112345' }, { bank_account_number: '1234.11.12345' }],
      `${list} must not list the same account twice`,
    ],
    [
      list,
      Array.from({ length: 51 }, (_, index) => ({
        bank_account_number: String(12341112345 + index),
      })),
      `${list} field must have less than or equal to 50 items`,
    ],
  ];
}

const dateFaults = (field: string): Fault[] => [
  ...[
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-1-1',
    '01.02.2026',
    '2026-01-01T00:00:00Z',
    'x',
  ].map((value): Fault => [field, value, `${field} must be a valid date in the form YYYY-MM-DD`]),
  [field, 20260101, `${field} must be a string`],
  [field, '0001-01-01', `${field} must be between 1900-01-01 and 2999-12-31`],
];

/** A form: its address, a valid input, and the possible faults. */
interface Form {
  readonly method?: 'PUT' | 'POST';
  readonly url: () => string;
  readonly valid: () => object;
  readonly faults: readonly Fault[];
}

const customerFaults: Fault[] = [
  ...requiredText('name'),
  ...emailFaults('email'),
  ...textFaults('address1'),
  ...exactText('org_number', 9),
  ['org_number', 123456785, 'org_number must be a string'],
  ...exactText('phone_number', 8),
  ['phone_number', 22334455, 'phone_number must be a string'],
  ...wholeNumberFaults('customer_number', 9_999_999),
  ...textFaults('contact_name'),
  ['reference', 'x'.repeat(101), 'reference must be at most 100 characters'],
  ...wholeNumberFaults('due_days', 36_500),
  ['delivery_type', 'POST', `delivery_type ${DELIVERY_TYPES}`],
  ['country', 'XX', 'country must be a country code of ISO 3166-1'],
  ['country', 'Sverige', 'country must be a country code of ISO 3166-1'],
  ['country', 47, 'country must be a string'],
  ['is_private', 'ja', 'is_private must be a boolean'],
  ['invoice_emails', 'kari@firma.no', 'invoice_emails must be a list'],
  [
    'invoice_emails',
    ['a@b.no', 'kari@'],
    'invoice_emails[1] must be a valid email',
    'invoice_emails[1]',
  ],
  [
    'invoice_emails',
    ['a@b.no', null],
    'invoice_emails[1] is a required field',
    'invoice_emails[1]',
  ],
  [
    'invoice_emails',
    Array.from({ length: 6 }, (_, index) => `a${index}@b.no`),
    'invoice_emails field must have less than or equal to 5 items',
  ],
];

const groupFaults: Fault[] = [
  ...requiredText('group_name'),
  ...missing('customers'),
  ['customers', 'x', 'customers must be a list'],
  ['customers', {}, 'customers must be a list'],
  ['customers', [0], 'customers[0] must be a positive number', 'customers[0]'],
  ['customers', [1, null], 'customers[1] is a required field', 'customers[1]'],
  ['customers', [1, '1'], 'customers[1] must be a number', 'customers[1]'],
  ['customers', [1.5], 'customers[0] must be an integer', 'customers[0]'],
  ['customers', [4711], 'There is no customer number 4711'],
  [
    'customers',
    Array.from({ length: 100_001 }, () => 1),
    'customers field must have less than or equal to 100000 items',
  ],
];

const templateFaults: Fault[] = [
  ...requiredText('name'),
  ...missing('delivery_type'),
  ['delivery_type', 'POST', `delivery_type ${DELIVERY_TYPES}`],
  ['delivery_type', 'email', `delivery_type ${DELIVERY_TYPES}`],
  ...missing('due_days'),
  ...wholeNumberFaults('due_days', 36_500),
  ...lineFaults('lines'),
];

const FORMS: Readonly<Record<string, Form>> = {
  login: {
    url: () => '/api/users/login/email/',
    valid: () => ({ email: 'kari@example.no' }),
    faults: [...requiredText('email', 254), ...emailFaults('email')],
  },
  register: {
    url: () => '/api/users/register/email/',
    valid: () => ({ email: 'kari@example.no' }),
    faults: [...requiredText('email', 254), ...emailFaults('email')],
  },
  code: {
    url: () => '/api/users/login/verify/',
    valid: () => ({ email: 'kari@example.no', registration_token: 'ABCDEF' }),
    faults: [
      ...missing('registration_token'),
      ...exactText('registration_token', 6),
      ['registration_token', 123456, 'registration_token must be a string'],
      ...missing('email'),
      ...emailFaults('email'),
    ],
  },
  'new customer': {
    url: () => '/api/customers/create/',
    valid: () => CUSTOMER,
    faults: customerFaults,
  },
  customer: {
    method: 'PUT',
    url: () => `/api/customers/${customer}/update/`,
    valid: () => CUSTOMER,
    faults: customerFaults,
  },
  group: {
    url: () => '/api/customers/groups/create/',
    valid: () => ({ group_name: 'Medlemmer', customers: [customer] }),
    faults: groupFaults,
  },
  invoice: {
    url: () => '/api/invoices/create/',
    valid: () => invoiceBody([customer]),
    faults: [
      ...missing('issue_date'),
      ...dateFaults('issue_date'),
      ...dateFaults('delivery_date'),
      ...missing('due_days'),
      ...wholeNumberFaults('due_days', 36_500),
      ...missing('delivery_type'),
      ['delivery_type', 'PIGEON', `delivery_type ${DELIVERY_TYPES}`],
      ['delivery_type', 1, `delivery_type ${DELIVERY_TYPES}`],
      ...lineFaults('invoice_lines'),
      ...textFaults('reference', 100),
      ['group_uuid', 'x', 'group_uuid must be a valid UUID'],
      ['group_uuid', 1, 'group_uuid must be a string'],
      ['group_uuid', '7b0f8f2e-5b0e-4c1e-9d0e-0d5c6f7a8b9c', 'group_uuid is not a known group'],
      ['customer_numbers', [], 'Missing customerNumbers'],
      ['customer_numbers', null, 'Missing groupUuid', 'group_uuid'],
      ['customer_numbers', [4711], 'There is no customer number 4711'],
      ['customer_numbers', ['1'], 'customer_numbers[0] must be a number', 'customer_numbers[0]'],
      ['template_id', '1', 'template_id must be a number'],
      ['template_id', 0, 'template_id must be a positive number'],
      ['template_id', 2 ** 31, 'template_id must be less than or equal to 2147483647'],
      ['template_id', 4711, 'template_id is not a known template'],
    ],
  },
  'new template': {
    url: () => '/api/invoices/template/create/',
    valid: () => ({ name: 'Mal', delivery_type: 'NONE', due_days: 14, lines: LINES }),
    faults: templateFaults,
  },
  template: {
    method: 'PUT',
    url: () => `/api/invoices/template/${template}/update/`,
    valid: () => ({ name: 'Mal', delivery_type: 'NONE', due_days: 14, lines: LINES }),
    faults: [
      ...templateFaults,
      ['lines', [{ ...line('a', 1, 0), id: 4711 }], 'The template has no line 4711', 'lines[0].id'],
      ['lines', [{ ...line('a', 1, 0), id: '1' }], 'lines[0].id must be a number', 'lines[0].id'],
    ],
  },
  'template to invoices': {
    url: () => `/api/invoices/template/${template}/create-invoice/`,
    valid: () => ({ customer_numbers: [customer], issue_date: '2026-11-21' }),
    faults: [
      ...missing('issue_date'),
      ...dateFaults('issue_date'),
      ['customer_numbers', [], 'Missing customerNumbers'],
      ['customer_numbers', [], 'Missing groupUuid', 'group_uuid'],
    ],
  },
  profile: {
    url: () => '/api/users/update/',
    valid: () => PROFILE,
    faults: [
      ...requiredText('company_name'),
      ...missing('org_number'),
      ...exactText('org_number', 9),
      ...missing('vat_registered'),
      ...booleanFaults('vat_registered'),
      ...missing('foretaksregisteret'),
      ...booleanFaults('foretaksregisteret'),
      ...requiredText('email', 254),
      ...emailFaults('email'),
      ...requiredText('billing_address1'),
      ...textFaults('billing_address2'),
      ...missing('billing_postal_code'),
      ['billing_postal_code', '12', 'billing_postal_code must be at least 3 characters'],
      ['billing_postal_code', '123456', 'billing_postal_code must be at most 5 characters'],
      ...requiredText('billing_city'),
      ...wholeNumberFaults('start_invoice_number', 999_999_999),
      ...accountFaults(),
    ],
  },
};

// GRP-1, GRP-2, PRO-1, PRO-2, PRO-3, TPL-1, TPL-2
describe.each(Object.entries(FORMS))('the form %s', (_, form) => {
  const send = async (body: unknown): Promise<Answer> =>
    client.send({
      method: form.method ?? 'POST',
      url: form.url(),
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });

  // CUS-1, INV-1, INV-2, INV-4, WIRE-3, WIRE-7, WIRE-14
  test('each fault has its message and its field', async () => {
    for (const [field, value, message, blamed = field] of form.faults) {
      const answer = await send({ ...form.valid(), [field]: value });
      expect(answer, `${field} ${JSON.stringify(value)?.slice(0, 80)}`).toMatchObject({
        status: 400,
        body: { detail: expect.arrayContaining([{ message, field: blamed }]) },
      });
    }
  });

  test('is an object', async () => {
    for (const body of [[], 'text', 7, true]) {
      const answer = await send(body);
      expect(answer.status).toBe(400);
      expect(answer.body.detail[0]).toEqual({ message: 'body must be an object' });
    }
    expect((await send(null)).body.detail[0]).toEqual({ message: 'body is a required field' });
  });

  // WIRE-16
  test('is JSON of a limited size and depth', async () => {
    const url = form.url();
    const method = form.method ?? 'POST';
    const json = { 'content-type': 'application/json' };
    const broken = await client.send({ method, url, headers: json, payload: '{"name": ' });
    expect(broken).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'The body is not valid JSON' }] },
    });
    expect((await client.send({ method, url, headers: json })).status).toBe(400);
    expect((await client.send({ method, url })).status).toBe(400);
    const tooDeep = { status: 400, body: { detail: [{ message: 'The body is nested too deep' }] } };
    const deep = (levels: number) => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`;
    for (const levels of [17, 20_000]) {
      const payload = deep(levels);
      expect(await client.send({ method, url, headers: json, payload })).toMatchObject(tooDeep);
    }
    const deepest = await client.send({ method, url, headers: json, payload: deep(16) });
    expect(deepest.body).toMatchObject({ detail: [{ message: 'body must be an object' }] });
    const large = JSON.stringify({ ...form.valid(), name: 'a'.repeat(1024 * 1024) });
    expect(await client.send({ method, url, headers: json, payload: large })).toMatchObject({
      status: 413,
      body: { detail: [{ message: 'The body is too large' }] },
    });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await client.send({ method, url, headers: type, payload: 'name=a' })).status).toBe(415);
  });
});

// WIRE-13
test('all faults of a body are reported at once, whatever is wrong with its dates and numbers', async () => {
  for (const issue_date of ['', null, '2026-02-30', 'x', 7]) {
    for (const due_days of ['', null, 1.5, 0]) {
      const body = invoiceBody([], { issue_date, due_days, invoice_lines: [] });
      const answer = await client.post('/api/invoices/create/', body);
      expect(answer.status).toBe(400);
      const fields = answer.body.detail.map(({ field }: { field: string }) => field);
      expect([issue_date, due_days, ...fields.toSorted()]).toEqual([
        issue_date,
        due_days,
        'customer_numbers',
        'due_days',
        'group_uuid',
        'invoice_lines',
        'issue_date',
      ]);
    }
  }
});

describe('what is not a fault', () => {
  const create = async (body: object) => client.post('/api/customers/create/', body);

  // CUS-1, WIRE-5
  test('null, an empty text and absence are the same', async () => {
    for (const nothing of [undefined, null, '']) {
      const { status, body } = await create({
        name: 'Kunde',
        customer_number: nothing,
        email: nothing,
        org_number: nothing,
        phone_number: nothing,
        address1: nothing,
        address2: nothing,
        postal_code: nothing,
        city: nothing,
        country: nothing,
        contact_name: nothing,
        invoice_emails: nothing,
        reference: nothing,
        due_days: nothing,
        delivery_type: nothing,
        is_private: nothing,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        customer_number: expect.any(Number),
        ...(TEST_FEATURES === 'all' && { credit: 0, vat_number: null }),
        name: 'Kunde',
        email: null,
        org_number: null,
        phone_number: null,
        address1: null,
        address2: null,
        postal_code: null,
        city: null,
        country: 'NO',
        contact_name: null,
        invoice_emails: [],
        reference: null,
        due_days: null,
        delivery_type: null,
        is_private: false,
        version: 1,
      });
      const invoice = invoiceBody([customer], {
        group_uuid: nothing,
        template_id: nothing,
        delivery_date: nothing,
        reference: nothing,
      });
      expect((await client.post('/api/invoices/create/', invoice)).status).toBe(201);
      const profile = { ...PROFILE, billing_address2: nothing, start_invoice_number: nothing };
      expect((await client.post('/api/users/update/', profile)).status).toBe(200);
    }
  });

  // WIRE-8
  test('unknown properties, and camelCase names', async () => {
    const { status, body } = await create({
      name: 'Kunde',
      orgNumber: '974760673',
      constructor: 1,
      ['__proto__']: { admin: true },
      is_staff: true,
      company_id: 1,
      id: 1,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Kunde', org_number: '974760673' });
    expect(body).not.toHaveProperty('is_staff');
  });

  test('any nine characters for an organisation number, any eight for a telephone', async () => {
    const { status, body } = await create({
      name: 'K',
      org_number: 'ABCÆØÅ 12',
      phone_number: '+4722334',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ org_number: 'ABCÆØÅ 12', phone_number: '+4722334' });
  });

  test('every address that mail can be sent to', async () => {
    for (const email of [
      'r&d@firma.no',
      "o'neil/ap+1@x.co.uk",
      `${'a'.repeat(64)}@b.no`,
      'post@xn--brnnysund-64a.no',
      'a@b.xn--p1ai',
    ]) {
      expect(await create({ name: 'K', email })).toMatchObject({ status: 201, body: { email } });
    }
  });

  test('amounts up to what øre in 53 bits hold, and negative ones', async () => {
    for (const price of [90071992547409.91 / 1, -90071992547409.91, 0, -0.01, 1e-2]) {
      const answer = await client.post(
        '/api/invoices/create/',
        invoiceBody([customer], { invoice_lines: [line('Vare', price, 0)] }),
      );
      expect(answer.status).toBe(201);
      expect(answer.body[0]).toMatchObject({ net_amount: price, gross_amount: price });
    }
  });

  test('a sum that exceeds 53 bits of øre is a fault', async () => {
    const lines = [line('Vare', 90071992547409.91, 0), line('Vare', 0.01, 0)];
    const answer = await client.post(
      '/api/invoices/create/',
      invoiceBody([customer], { invoice_lines: lines }),
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'The total is too large', field: 'invoice_lines' }] },
    });
  });

  // TPL-3
  test('fields that a template replaces are ignored', async () => {
    const answer = await client.post('/api/invoices/create/', {
      customer_numbers: [customer],
      issue_date: '2026-11-21',
      template_id: template,
      delivery_type: 'PIGEON',
      due_days: -1,
      invoice_lines: [],
    });
    expect(answer.status).toBe(201);
    expect(answer.body[0]).toMatchObject({ due_days: 30, delivery_type: 'NONE', lines: LINES });
  });

  // WIRE-6
  test('texts of every script, trimmed; addresses lower-cased', async () => {
    const { body } = await create({ name: '  Ørsta 船 🚤 ', email: ' POST@Example.NO ' });
    expect(body).toMatchObject({ name: 'Ørsta 船 🚤', email: 'post@example.no' });
  });
});

test('a number of any length is too large, and never an internal error', async () => {
  const send = async (digits: number): Promise<number> => {
    const payload = `{"name": "K", "customer_number": ${'9'.repeat(digits)}}`;
    const headers = { 'content-type': 'application/json' };
    return (await client.send({ method: 'POST', url: '/api/customers/create/', headers, payload }))
      .status;
  };
  expect([await send(20), await send(310), await send(10 ** 6), await send(10 ** 7)]).toEqual([
    400, 400, 400, 413,
  ]);
});

test('all faults of a form are reported at once', async () => {
  const { status, body } = await client.post('/api/invoices/create/', {});
  expect(status).toBe(400);
  expect(body.detail.map((fault: { field: string }) => fault.field).toSorted()).toEqual([
    'customer_numbers',
    'delivery_type',
    'due_days',
    'group_uuid',
    'invoice_lines',
    'issue_date',
  ]);
});

test('a value of another type is reported as such, without a rule on its length', async () => {
  for (const value of [[], ['a'], { length: 0 }]) {
    const { body } = await client.post('/api/customers/create/', { name: value, email: value });
    expect(body.detail).toEqual([
      { message: 'name must be a string', field: 'name' },
      { message: 'email must be a string', field: 'email' },
    ]);
  }
});

test('text that is not UTF-8 is refused, not changed', async () => {
  const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
  const payload = Buffer.from('{"name": "Bjørn"}', 'latin1');
  const url = '/api/customers/create/';
  expect(await client.send({ method: 'POST', url, headers, payload })).toMatchObject({
    status: 400,
    body: { detail: [{ message: 'The body is not valid JSON' }] },
  });
});

// WIRE-13
test('ten thousand faults do not make a long answer', async () => {
  const customers = Array.from({ length: 100_000 }, () => 'x');
  const { status, body } = await client.post('/api/customers/groups/create/', { customers });
  expect(status).toBe(400);
  expect(body.detail).toHaveLength(100);
});

// WIRE-7
describe('a query', () => {
  test.each([
    ['/api/customers/search/?query=%00', 'query must not contain control characters'],
    [`/api/customers/search/?query=${'a'.repeat(201)}`, 'query must be at most 200 characters'],
    ['/api/customers/search/?query=a&query=b', 'query must be a string'],
    ['/api/customers/search/?size=0', 'size must be a positive number'],
    ['/api/customers/search/?size=x', 'size must be a number'],
    ['/api/customers/search/?size=1e1', 'size must be a number'],
    ['/api/customers/search/?size=101', 'size must be less than or equal to 100'],
    ['/api/customers/groups/search/?size=-1', 'size must be a number'],
    ['/api/customers/groups/search/?query=%1b', 'query must not contain control characters'],
    ['/api/invoices/?page=0', 'page must be a positive number'],
    ['/api/invoices/?page=1.5', 'page must be a number'],
    ['/api/invoices/?page=99999999999999999999', 'page must be a number'],
    ['/api/invoices/?query=%00', 'query must not contain control characters'],
    [
      '/api/invoices/?status=SENT',
      'status must be one of the following values: DRAFT, REGISTERED, PAID, CANCELLED, OUTSTANDING, OVERDUE, FAILED',
    ],
  ])('GET %s gets 400', async (url, message) => {
    expect(await client.get(url)).toMatchObject({ status: 400, body: { detail: [{ message }] } });
  });

  test.each([
    ['/api/invoices/queue/?invoice_uuid=1', 'invoice_uuid must be a valid UUID'],
    ['/api/newsletter/signup/', 'email is a required field'],
    ['/api/newsletter/signup/?email=', 'email is a required field'],
    ['/api/newsletter/signup/?email=x', 'email must be a valid email'],
    ['/api/newsletter/unsubscribe/', 'token is a required field'],
    ['/api/emails/unsubscribe/?token=', 'token is a required field'],
    ['/api/emails/unsubscribe/?token=%00', 'token must not contain control characters'],
  ])('POST %s gets 400', async (url, message) => {
    expect(await client.post(url)).toMatchObject({ status: 400, body: { detail: [{ message }] } });
  });

  // WIRE-8
  test('may have empty values, and names in camelCase', async () => {
    expect((await client.get('/api/customers/search/?query=&size=')).status).toBe(200);
    expect((await client.get('/api/invoices/?page=&status=&query=')).status).toBe(200);
    expect((await client.post('/api/invoices/queue/?invoiceUuid=1')).status).toBe(400);
  });

  test('with LIKE patterns finds only the literal text', async () => {
    for (const query of ['%', '_', '\\', "'", '"', '%25%25%25', '___']) {
      const { status, body } = await client.get(
        `/api/customers/search/?query=${encodeURIComponent(query)}`,
      );
      expect([query, status, body]).toEqual([query, 200, []]);
    }
  });
});

describe('an address', () => {
  test.each([
    '/api/customers/0/',
    '/api/customers/01/',
    '/api/customers/1e0/',
    '/api/customers/0x1/',
    '/api/customers/1.0/',
    '/api/customers/+1/',
    '/api/customers/%201/',
    '/api/customers/10000000/',
    '/api/customers/undefined/',
    '/api/customers/groups/1/',
    '/api/customers/groups/7b0f8f2e-5b0e-4c1e-9d0e-0d5c6f7a8b9c/',
    '/api/invoices/template/99999999999/',
    '/api/invoices/template/x/',
    '/api/invoices/0/',
    '/api/invoices/9999999999/',
    '/api/invoices/99999999999999999999/',
    '/api/invoices/%00/',
    '/api/invoices/7b0f8f2e-5b0e-4c1e-9d0e-0d5c6f7a8b9c/efaktura/',
    '/api/nothing/',
    '/api/',
    `/api/customers/${'1'.repeat(3000)}/`,
  ])('%s of nothing gets 404', async (url) => {
    expect(await client.get(url)).toMatchObject({
      status: 404,
      body: { detail: [{ message: 'Not found' }] },
    });
  });

  test('that cannot be parsed gets 400', async () => {
    expect(await client.get('/api/customers/%E0%A4%A/')).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'Bad Request' }] },
    });
  });

  // WIRE-2
  test('works without its last slash', async () => {
    expect((await client.get(`/api/customers/${customer}`)).status).toBe(200);
    expect((await client.post('/api/customers/create', CUSTOMER)).status).toBe(201);
  });
});
