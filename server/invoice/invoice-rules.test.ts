import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  CUSTOMER,
  invoiceBody,
  line,
  LINES,
  PROFILE,
  register,
} from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff' });
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

function expectRule(answer: Answer, message: string, field?: string): void {
  const detail = [field === undefined ? { message } : { message, field }];
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 409, body: { detail } });
}

type State = 'DRAFT' | 'REGISTERED' | 'PAID' | 'CANCELLED' | 'CREDIT_NOTE';

/** Creates an invoice in this state and returns its uuid. */
async function invoiceIn(state: State): Promise<string> {
  const uuid = await createDraft(client, customer);
  if (state === 'DRAFT') return uuid;
  await register(client, uuid);
  if (state === 'PAID') await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
  if (state === 'REGISTERED' || state === 'PAID') return uuid;
  await client.delete(`/api/invoices/${uuid}/`);
  if (state === 'CANCELLED') return uuid;
  return (await client.get(`/api/invoices/${uuid}/`)).body.credit_note.uuid;
}

const update = (status: string) => async (uuid: string) =>
  client.post(`/api/invoices/${uuid}/update/`, { status });

const ACTIONS = {
  'update to DRAFT': update('DRAFT'),
  'update to REGISTERED': update('REGISTERED'),
  'update to PAID': update('PAID'),
  'update to CANCELLED': update('CANCELLED'),
  queue: async (uuid: string) => client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`),
  delete: async (uuid: string) => client.delete(`/api/invoices/${uuid}/`),
  efaktura: async (uuid: string) => client.get(`/api/invoices/${uuid}/efaktura/`),
} as const;

type Action = keyof typeof ACTIONS;

const NOTE_STAYS = 'A credit note cannot be deleted or paid';
const cannotGo = (change: string) => `The invoice cannot go from ${change}`;

/** The result of each action: the status afterwards (null for deleted), or the message that refuses it. */
const RULES: [State, Action, { becomes: string | null } | { refused: string }][] = [
  ['DRAFT', 'update to DRAFT', { refused: cannotGo('DRAFT to DRAFT') }],
  ['DRAFT', 'update to REGISTERED', { refused: cannotGo('DRAFT to REGISTERED') }],
  ['DRAFT', 'update to PAID', { refused: cannotGo('DRAFT to PAID') }],
  ['DRAFT', 'update to CANCELLED', { refused: cannotGo('DRAFT to CANCELLED') }],
  ['DRAFT', 'queue', { becomes: 'REGISTERED' }],
  ['DRAFT', 'delete', { becomes: null }],
  ['DRAFT', 'efaktura', { refused: 'A draft has no EHF; register the invoice first' }],
  ['REGISTERED', 'update to DRAFT', { refused: cannotGo('REGISTERED to DRAFT') }],
  ['REGISTERED', 'update to REGISTERED', { refused: cannotGo('REGISTERED to REGISTERED') }],
  ['REGISTERED', 'update to PAID', { becomes: 'PAID' }],
  ['REGISTERED', 'update to CANCELLED', { refused: cannotGo('REGISTERED to CANCELLED') }],
  ['REGISTERED', 'queue', { becomes: 'REGISTERED' }],
  ['REGISTERED', 'delete', { becomes: 'CANCELLED' }],
  ['REGISTERED', 'efaktura', { becomes: 'REGISTERED' }],
  ['PAID', 'update to DRAFT', { refused: cannotGo('PAID to DRAFT') }],
  ['PAID', 'update to REGISTERED', { becomes: 'REGISTERED' }],
  ['PAID', 'update to PAID', { refused: cannotGo('PAID to PAID') }],
  ['PAID', 'update to CANCELLED', { refused: cannotGo('PAID to CANCELLED') }],
  ['PAID', 'queue', { becomes: 'PAID' }],
  ['PAID', 'delete', { refused: 'A paid invoice cannot be deleted; mark it as not paid first' }],
  ['PAID', 'efaktura', { becomes: 'PAID' }],
  ['CANCELLED', 'update to DRAFT', { refused: cannotGo('CANCELLED to DRAFT') }],
  ['CANCELLED', 'update to REGISTERED', { refused: cannotGo('CANCELLED to REGISTERED') }],
  ['CANCELLED', 'update to PAID', { refused: cannotGo('CANCELLED to PAID') }],
  ['CANCELLED', 'update to CANCELLED', { refused: cannotGo('CANCELLED to CANCELLED') }],
  ['CANCELLED', 'queue', { becomes: 'CANCELLED' }],
  ['CANCELLED', 'delete', { refused: 'The invoice is already cancelled by a credit note' }],
  ['CANCELLED', 'efaktura', { becomes: 'CANCELLED' }],
  ['CREDIT_NOTE', 'update to DRAFT', { refused: NOTE_STAYS }],
  ['CREDIT_NOTE', 'update to REGISTERED', { refused: NOTE_STAYS }],
  ['CREDIT_NOTE', 'update to PAID', { refused: NOTE_STAYS }],
  ['CREDIT_NOTE', 'update to CANCELLED', { refused: NOTE_STAYS }],
  ['CREDIT_NOTE', 'queue', { becomes: 'REGISTERED' }],
  ['CREDIT_NOTE', 'delete', { refused: NOTE_STAYS }],
  ['CREDIT_NOTE', 'efaktura', { becomes: 'REGISTERED' }],
];

// INV-19, INV-20, INV-23, INV-26, PAY-3
describe('a change of state', () => {
  test('is listed for every state and action', () => {
    const states = ['DRAFT', 'REGISTERED', 'PAID', 'CANCELLED', 'CREDIT_NOTE'];
    const all = states.flatMap((state) =>
      Object.keys(ACTIONS).map((action) => `${state} ${action}`),
    );
    expect(RULES.map(([state, action]) => `${state} ${action}`)).toEqual(all);
  });

  const allowed = RULES.flatMap(([state, action, rule]) =>
    'becomes' in rule ? [[state, action, rule.becomes] as const] : [],
  );
  test.each(allowed)('%s, %s: %s', async (state, action, becomes) => {
    const uuid = await invoiceIn(state);
    const { status } = await ACTIONS[action](uuid);
    expect(status).toBe(action === 'delete' ? 204 : 200);
    const after = await client.get(`/api/invoices/${uuid}/`);
    expect(after.status).toBe(becomes === null ? 404 : 200);
    expect(after.body.status).toBe(becomes ?? undefined);
    expect(after.body.paid_date ?? null).toBe(becomes === 'PAID' ? todayInOslo() : null);
  });

  const refused = RULES.flatMap(([state, action, rule]) =>
    'refused' in rule ? [[state, action, rule.refused] as const] : [],
  );
  // DOC-15
  test.each(refused)('%s, %s: %s', async (state, action, message) => {
    const uuid = await invoiceIn(state);
    const before = await client.get(`/api/invoices/${uuid}/`);
    expectRule(await ACTIONS[action](uuid), message);
    expect((await client.get(`/api/invoices/${uuid}/`)).text).toBe(before.text);
  });
});

describe('cancelling', () => {
  // INV-25
  test.each([
    ['ahead', addDays(todayInOslo(), 46), addDays(todayInOslo(), 46)],
    ['today', todayInOslo(), todayInOslo()],
    ['long ago', addDays(todayInOslo(), -400), todayInOslo()],
  ])('of what is dated %s is dated no earlier than that', async (_, issueDate, noteDate) => {
    const uuid = await createDraft(client, customer, { issue_date: issueDate });
    await register(client, uuid);
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { credit_note: named } = (await client.get(`/api/invoices/${uuid}/`)).body;
    const { body: note } = await client.get(`/api/invoices/${named.uuid}/`);
    expect(note).toMatchObject({ issue_date: noteDate, due_date: noteDate });
    const ehf = await client.get(`/api/invoices/${named.uuid}/efaktura/`);
    expect(ehf.text).toContain(`<cbc:IssueDate>${noteDate}</cbc:IssueDate>`);
  });

  // INV-24
  test('makes a credit note with the next number, and keeps the invoice', async () => {
    const uuid = await createDraft(client, customer);
    const number = await register(client, uuid);
    expect((await client.delete(`/api/invoices/${number}/`)).status).toBe(204);
    const { body: invoice } = await client.get(`/api/invoices/${number}/`);
    const { body: note } = await client.get(`/api/invoices/${number + 1}/`);
    expect(invoice).toMatchObject({
      status: 'CANCELLED',
      credit_note: { uuid: note.uuid, invoice_number: number + 1 },
    });
    expect(note).toMatchObject({
      kind: 'CREDIT_NOTE',
      status: 'REGISTERED',
      credited_invoice: { uuid, invoice_number: number },
      gross_amount: invoice.gross_amount,
      issue_date: todayInOslo(),
      customer_name: invoice.customer_name,
    });
  });

  test('credits the buyer of the invoice, though the customer has changed and gone', async () => {
    const gone = await createCustomer(client, { name: 'Før' });
    const uuid = await createDraft(client, gone);
    const number = await register(client, uuid);
    await client.put(`/api/customers/${gone}/update/`, { ...CUSTOMER, name: 'Etter' });
    expect((await client.delete(`/api/customers/${gone}/`)).status).toBe(204);
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { body } = await client.get(`/api/invoices/${number + 1}/`);
    expect(body).toMatchObject({ customer_name: 'Før', customer_number: gone });
  });
});

describe('cancelling after the VAT register was', () => {
  // VAT-5
  test.each([
    ['left', true, '<cbc:CompanyID>NO123456785MVA<'],
    ['entered', false, '<cbc:TaxExemptionReason>'],
  ])('%s credits the invoice as it was taxed', async (_, before, proof) => {
    const seller = await testApp.login();
    await completeProfile(seller, { vat_registered: before });
    const lines = [line('Foredrag', 4500, before ? 25 : 0)];
    const uuid = await createDraft(seller, await createCustomer(seller), { invoice_lines: lines });
    const number = await register(seller, uuid);
    await completeProfile(seller, { vat_registered: !before });
    expect((await seller.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const note = await seller.get(`/api/invoices/${number + 1}/efaktura/`);
    expect(note.status).toBe(200);
    expect(note.text).toContain(proof);
  });
});

describe('cancelling after the profile got', () => {
  const names = async (changes: object) => {
    const seller = await testApp.login();
    await completeProfile(seller, { company_name: 'Før AS' });
    const uuid = await createDraft(seller, await createCustomer(seller));
    const number = await register(seller, uuid);
    await completeProfile(seller, { company_name: 'Etter AS', ...changes });
    expect((await seller.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { text } = await seller.get(`/api/invoices/${number + 1}/efaktura/`);
    return ['Før AS', 'Etter AS', 'NO123456785MVA', 'NO987654325MVA'].filter((name) =>
      text.includes(`>${name}<`),
    );
  };

  test('another name, the credit note shows the new name', async () => {
    expect(await names({})).toEqual(['Etter AS', 'NO123456785MVA']);
  });

  test('another organisation number, the organisation that issued the invoice issues the credit note', async () => {
    const changes = { org_number: '987654325', vat_registered: false };
    expect(await names(changes)).toEqual(['Før AS', 'NO123456785MVA']);
  });
});

// INV-12, INV-17
describe('registering one draft', () => {
  const queue = async (uuid: string) => client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);

  // EHF-5
  test.each([
    [{ delivery_type: 'EHF' }, 'Delivery by EHF needs an agreement that does not exist yet'],
    [
      { delivery_type: 'EFAKTURA' },
      'Delivery by EFAKTURA needs an agreement that does not exist yet',
    ],
    [
      { invoice_lines: [line('Vare', 10, 25), line('Rabatt', -10.01, 25)] },
      'An invoice with a negative total cannot be registered',
    ],
  ])('%j is refused', async (changes, message) => {
    const uuid = await createDraft(client, customer, changes);
    expectRule(await queue(uuid), message);
    expect((await client.get(`/api/invoices/${uuid}/`)).body.status).toBe('DRAFT');
    await client.delete(`/api/invoices/${uuid}/`);
  });

  test('by e-mail to nobody is refused, until there is an address', async () => {
    const silent = await createCustomer(client, { email: '' });
    const uuid = await createDraft(client, silent, { delivery_type: 'EMAIL' });
    expectRule(await queue(uuid), 'The customer has no e-mail address');
    await client.put(`/api/customers/${silent}/update/`, CUSTOMER);
    expect((await queue(uuid)).status).toBe(200);
  });

  test('with a sum of 0 is possible', async () => {
    const lines = [line('Vare', 10, 25), line('Rabatt', -10, 25)];
    const uuid = await createDraft(client, customer, { invoice_lines: lines });
    expect((await queue(uuid)).status).toBe(200);
  });
});

describe('an incomplete profile', () => {
  // INV-8, INV-17, PRO-5, TPL-6
  test('makes no invoices and no templates', async () => {
    const newcomer = await testApp.login();
    const number = await createCustomer(newcomer);
    const message = 'The profile must be completed first';
    expectRule(await newcomer.post('/api/invoices/create/', invoiceBody([number])), message);
    expectRule(await newcomer.post('/api/invoices/queue/'), message);
    const form = { name: 'Mal', delivery_type: 'NONE', due_days: 14, lines: LINES };
    expectRule(await newcomer.post('/api/invoices/template/create/', form), message);
    expect((await newcomer.get('/api/users/session/')).body.is_profile_completed).toBe(false);
    expect((await newcomer.get('/api/users/profile/')).body).toMatchObject({
      is_profile_completed: false,
      has_created_invoice: false,
      start_invoice_number: 1,
      bank_accounts: [],
    });
  });
});

describe('the first number', () => {
  // PRO-6
  test('may change until there is an invoice, draft or not', async () => {
    const owner = await testApp.login();
    await completeProfile(owner, { start_invoice_number: 5 });
    await completeProfile(owner, { start_invoice_number: 7 });
    const number = await createCustomer(owner);
    const uuid = await createDraft(owner, number);
    expectRule(
      await owner.post('/api/users/update/', { ...PROFILE, start_invoice_number: 8 }),
      'start_invoice_number is fixed once an invoice has been created',
      'start_invoice_number',
    );
    await owner.delete(`/api/invoices/${uuid}/`);
    expectRule(
      await owner.post('/api/users/update/', { ...PROFILE, start_invoice_number: 1 }),
      'start_invoice_number is fixed once an invoice has been created',
      'start_invoice_number',
    );
    const same = await owner.post('/api/users/update/', { ...PROFILE, start_invoice_number: 7 });
    expect(same).toMatchObject({ status: 200, body: { has_created_invoice: true } });
    const absent = await owner.post('/api/users/update/', PROFILE);
    expect(absent.body.start_invoice_number).toBe(7);
    expect(await register(owner, await createDraft(owner, number))).toBe(7);
  });
});

describe('bank accounts', () => {
  const save = async (...accounts: [string, unknown][]) => {
    const bankAccounts = accounts.map(([number, primary]) => ({
      bank_account_number: number,
      is_primary: primary,
    }));
    const answer = await client.post('/api/users/update/', {
      ...PROFILE,
      bank_accounts: bankAccounts,
    });
    return answer.body.bank_accounts;
  };

  // PRO-1, PRO-2, PRO-3
  test('are kept as eleven digits, the first primary when none is ticked', async () => {
    expect(await save(['1234.11.12345', false], ['12345678903', null])).toEqual([
      { bank_account_number: '12341112345', is_primary: true },
      { bank_account_number: '12345678903', is_primary: false },
    ]);
    expect(await save(['1234.11.12345', ''], ['12345678903', true])).toEqual([
      { bank_account_number: '12341112345', is_primary: false },
      { bank_account_number: '12345678903', is_primary: true },
    ]);
  });
});

describe('customers', () => {
  // CUS-3
  test('have numbers that nobody has had, from the highest so far', async () => {
    const owner = await testApp.login();
    expect(await createCustomer(owner)).toBe(1);
    expect(await createCustomer(owner, { customer_number: 40 })).toBe(40);
    expect(await createCustomer(owner, { customer_number: 7 })).toBe(7);
    expect(await createCustomer(owner)).toBe(41);
    const taken = { ...CUSTOMER, customer_number: 40 };
    const message = 'customer_number 40 is taken';
    expectRule(await owner.post('/api/customers/create/', taken), message, 'customer_number');
    expectRule(await owner.put('/api/customers/7/update/', taken), message, 'customer_number');
    expect((await owner.put('/api/customers/40/update/', taken)).status).toBe(200);
    const moved = { ...CUSTOMER, customer_number: 50 };
    expect((await owner.put('/api/customers/7/update/', moved)).body.customer_number).toBe(50);
    expect((await owner.get('/api/customers/7/')).status).toBe(404);
    expect(await createCustomer(owner)).toBe(51);
    expect(await createCustomer(owner, { customer_number: 9_999_999 })).toBe(9_999_999);
  });

  // CUS-3
  test('are the lowest free ones when there is none after the highest', async () => {
    const owner = await testApp.login('siste@example.no');
    expect(await createCustomer(owner, { customer_number: 9_999_998 })).toBe(9_999_998);
    expect(await createCustomer(owner, { customer_number: 2 })).toBe(2);
    expect(await createCustomer(owner)).toBe(9_999_999);
    const asked = await Promise.all(Array.from({ length: 4 }, async () => createCustomer(owner)));
    expect(asked.toSorted((one, other) => one - other)).toEqual([1, 3, 4, 5]);
    await owner.delete('/api/customers/3/');
    expect(await createCustomer(owner)).toBe(3);
    await owner.put('/api/customers/9999999/update/', { ...CUSTOMER, customer_number: 7 });
    expect(await createCustomer(owner)).toBe(6);
    expect(await createCustomer(owner)).toBe(8);
  });

  // INV-3
  test('with drafts stay; without, they leave their groups', async () => {
    const number = await createCustomer(client);
    const group = await createGroup(client, [number, customer]);
    const uuid = await createDraft(client, number);
    expectRule(
      await client.delete(`/api/customers/${number}/`),
      'The customer has drafts; delete or register them first',
    );
    await register(client, uuid);
    const renumbered = { ...CUSTOMER, customer_number: number + 1000 };
    await client.put(`/api/customers/${number}/update/`, renumbered);
    expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
      customer_number: number,
      current_customer_number: number + 1000,
    });
    await client.put(`/api/customers/${number + 1000}/update/`, {
      ...CUSTOMER,
      customer_number: number,
    });
    expect((await client.delete(`/api/customers/${number}/`)).status).toBe(204);
    expect((await client.delete(`/api/customers/${number}/`)).status).toBe(404);
    const { body } = await client.get(`/api/customers/groups/${group}/`);
    expect(body.customers.map((member: typeof body) => member.customer_number)).toEqual([customer]);
    const invoice = async () => (await client.get(`/api/invoices/${uuid}/`)).body;
    const kept = { customer_name: CUSTOMER.name, customer_number: number };
    expect(await invoice()).toMatchObject({ ...kept, current_customer_number: null });
    // Another customer has the next number.
    await createCustomer(client, { name: 'En annen', customer_number: number });
    expect(await invoice()).toMatchObject({ ...kept, current_customer_number: null });
  });
});

describe('creating', () => {
  const create = async (body: object) => client.post('/api/invoices/create/', body);

  // INV-1
  test('makes one draft for each customer and member, each once', async () => {
    const other = await createCustomer(client);
    const group = await createGroup(client, [customer, other]);
    const { status, body } = await create(invoiceBody([other, other], { group_uuid: group }));
    expect(status).toBe(201);
    const buyers = body.map((invoice: typeof body) => invoice.customer_number);
    expect(buyers).toHaveLength(2);
    expect(new Set(buyers)).toEqual(new Set([customer, other]));
    for (const { uuid } of body) await client.delete(`/api/invoices/${uuid}/`);
  });

  // INV-1
  test('for an empty group is refused', async () => {
    const group = await createGroup(client, []);
    const { status, body } = await create(invoiceBody([], { group_uuid: group }));
    expect(status).toBe(400);
    expect(body.detail[0].message).toMatch(/^Missing customerNumbers/);
  });

  // TPL-4
  test('from a template takes its delivery type, due days and lines', async () => {
    const id = await createTemplate(client);
    const create = async (recipients: object) =>
      client.post(`/api/invoices/template/${id}/create-invoice/`, {
        ...recipients,
        issue_date: '2026-01-31',
      });
    const draft = { due_days: 30, due_date: '2026-03-02', delivery_type: 'NONE', status: 'DRAFT' };
    const made = { status: 201, body: [{ ...draft, lines: LINES, customer_number: customer }] };
    expect(await create({ customer_numbers: [customer], group_uuid: null })).toMatchObject(made);
    const group = await createGroup(client, [customer]);
    expect(await create({ customer_numbers: [], group_uuid: group })).toMatchObject(made);
  });

  // TPL-2
  test('keeps the lines of a template whose ids are sent', async () => {
    const id = await createTemplate(client);
    const { body: before } = await client.get(`/api/invoices/template/${id}/`);
    const [first, , third] = before.lines;
    const { body: after } = await client.put(`/api/invoices/template/${id}/update/`, {
      ...before,
      lines: [third, { ...first, description: 'Endret' }, line('Ny', 5, 0)],
    });
    expect(after.lines.map((item: { id: number }) => item.id)).toEqual([
      third.id,
      first.id,
      expect.any(Number),
    ]);
    expect(after.lines[1].description).toBe('Endret');
    const twice = { ...after, lines: [third, third] };
    expect((await client.put(`/api/invoices/template/${id}/update/`, twice)).status).toBe(400);
  });
});

// INV-29
test('the list has drafts first, then the highest number, twenty a page', async () => {
  const owner = await testApp.login();
  await completeProfile(owner);
  const number = await createCustomer(owner);
  for (let index = 0; index < 22; index++) await createDraft(owner, number);
  await owner.post('/api/invoices/queue/');
  const draft = await createDraft(owner, number);
  const { body: first } = await owner.get('/api/invoices/');
  expect(first).toMatchObject({
    count: 23,
    next: '/api/invoices/?page=2',
    previous: null,
    summary: { drafts: 1, registered: 22, sent: 0, sent_from: null, sent_to: null },
  });
  const names = first.results.map((invoice: typeof first) => invoice.invoice_number);
  expect(first.results[0].uuid).toBe(draft);
  expect(names).toEqual([null, ...Array.from({ length: 19 }, (_, index) => 22 - index)]);
  const { body: second } = await owner.get(first.next);
  expect(second).toMatchObject({ next: null, previous: '/api/invoices/?page=1' });
  expect(second.results).toHaveLength(3);
  expect(first.preceding).toBe(null);
  expect(second.preceding).toBe(first.results.at(-1).uuid);
  expect((await owner.get('/api/invoices/?page=9')).body).toMatchObject({
    results: [],
    next: null,
  });
  const { body: drafts } = await owner.get('/api/invoices/?status=DRAFT');
  expect(drafts).toMatchObject({ count: 1, results: [{ uuid: draft }] });
  const { body: found } = await owner.get('/api/invoices/?query=%C3%B8rsta');
  expect(found.count).toBe(23);
  // One draft less: the first of page two moves to the end of page one.
  await owner.delete(`/api/invoices/${draft}/`);
  const { body: moved } = await owner.get(first.next);
  expect(moved.preceding).toBe(second.results[0].uuid);
  expect(moved.results).toEqual(second.results.slice(1));
});
