import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  CUSTOMER,
  LINES,
  PROFILE,
} from '../../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'recurring' });
  client = await testApp.login();
  await completeProfile(client);
});
afterAll(async () => testApp.close());

type Answer = Awaited<ReturnType<TestClient['get']>>;
type Thing = Record<string, unknown> & { version: number };

/** An editable thing: how to read it, and save it under a new name. */
interface Edited {
  readonly read: () => Promise<Answer>;
  readonly save: (name: string, based: object) => Promise<Answer>;
  readonly nameOf: (thing: Thing) => unknown;
  /** The same call for one that does not exist. */
  readonly saveNothing?: () => Promise<Answer>;
}

const KINDS: [kind: string, make: () => Promise<Edited>][] = [
  [
    'a customer',
    async () => {
      const number = await createCustomer(client);
      return {
        read: async () => client.get(`/api/customers/${number}/`),
        save: async (name, based) =>
          client.put(`/api/customers/${number}/update/`, { name, ...based }),
        saveNothing: async () =>
          client.put('/api/customers/999999/update/', { name: 'Ingen', version: 1 }),
        nameOf: (customer) => customer['name'],
      };
    },
  ],
  [
    'a group',
    async () => {
      const members = [await createCustomer(client)];
      const uuid = await createGroup(client, members);
      const save = async (id: string, name: string, based: object) =>
        client.post(`/api/customers/groups/${id}/update/`, {
          group_name: name,
          customers: members,
          ...based,
        });
      return {
        read: async () => client.get(`/api/customers/groups/${uuid}/`),
        save: async (name, based) => save(uuid, name, based),
        saveNothing: async () =>
          save('8f7f5b3e-0000-4000-8000-000000000000', 'Ingen', { version: 1 }),
        nameOf: (group) => group['group_name'],
      };
    },
  ],
  [
    'a template',
    async () => {
      const id = await createTemplate(client);
      const body = { delivery_type: 'NONE', due_days: 14, lines: LINES };
      return {
        read: async () => client.get(`/api/invoices/template/${id}/`),
        save: async (name, based) =>
          client.put(`/api/invoices/template/${id}/update/`, { ...body, name, ...based }),
        saveNothing: async () =>
          client.put('/api/invoices/template/999999/update/', {
            ...body,
            name: 'Ingen',
            version: 1,
          }),
        nameOf: (template) => template['name'],
      };
    },
  ],
  [
    'the profile',
    async () => ({
      read: async () => client.get('/api/users/profile/'),
      save: async (name, based) =>
        client.post('/api/users/update/', { ...PROFILE, company_name: name, ...based }),
      nameOf: (profile) => profile['company_name'],
    }),
  ],
];

// WIRE-19
describe.each(KINDS)('%s', (_, make) => {
  const CHANGED = {
    detail: [
      {
        message: 'It was changed meanwhile; read it again and send the version that you read',
        field: 'version',
      },
    ],
  };

  test('is saved over the version that was read, and over no other', async () => {
    const { read, save, nameOf } = await make();
    const { version } = (await read()).body as Thing;
    const first = await save('Den første', { version });
    expect(first).toMatchObject({ status: 200, body: { version: version + 1 } });

    const second = await save('Den andre', { version });
    expect(second).toMatchObject({ status: 409, body: CHANGED });
    const stored = (await read()).body as Thing;
    expect(nameOf(stored)).toBe('Den første');
    expect(stored.version).toBe(version + 1);

    const third = await save('Den tredje', { version: stored.version });
    expect(third).toMatchObject({ status: 200, body: { version: version + 2 } });
  });

  test('is saved over any version when the call names none', async () => {
    const { read, save } = await make();
    const { version } = (await read()).body as Thing;
    expect((await save('Uten', {})).status).toBe(200);
    const again = await save('Uten igjen', { version: null });
    expect(again).toMatchObject({ status: 200, body: { version: version + 2 } });
  });

  test('is saved by one of two concurrent calls', async () => {
    const { read, save, nameOf } = await make();
    const { version } = (await read()).body as Thing;
    const answers = await Promise.all([
      save('Den ene', { version }),
      save('Den andre', { version }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const saved = answers.find(({ status }) => status === 200)?.body as Thing;
    expect(nameOf((await read()).body as Thing)).toBe(nameOf(saved));
  });

  test('refuses an impossible version number', async () => {
    const { save } = await make();
    for (const version of [0, -1, 1.5, 2 ** 31, 'to']) {
      expect((await save('Feil', { version })).status).toBe(400);
    }
  });
});

// A company's one profile is always there.
test.each(KINDS.slice(0, 3))('%s that is not there is not found, not changed', async (_, make) => {
  const { saveNothing } = await make();
  expect((await saveNothing?.())?.status).toBe(404);
});

test("a profile's counters do not change its version", async () => {
  const { version } = (await client.get('/api/users/profile/')).body as Thing;
  await createDraft(client, await createCustomer(client));
  const profile = (await client.get('/api/users/profile/')).body as Thing;
  expect(profile.version).toBe(version);
});

test('renumbering a customer changes the version of everything that names the customer, and of nothing else', async () => {
  const [renumbered, stays] = [await createCustomer(client), await createCustomer(client)];
  const paths = async (number: number) => {
    const group = await createGroup(client, [number]);
    const draft = await createDraft(client, number);
    const { uuid } = await addAssignment(client, {
      customer_numbers: [number],
      first_date: '2090-01-01',
    });
    return [
      `/api/customers/groups/${group}/`,
      `/api/invoices/${draft}/`,
      `/api/invoices/recurring/${uuid}/`,
    ];
  };
  const [theirs, others] = [await paths(renumbered), await paths(stays)];
  const versions = async (of: readonly string[]) =>
    Promise.all(of.map(async (path) => ((await client.get(path)).body as Thing).version));
  const before = await versions(others);
  const save = async (customer_number: number, as: number) =>
    client.put(`/api/customers/${as}/update/`, { ...CUSTOMER, customer_number });
  // Saved under its number it keeps its references.
  expect((await save(renumbered, renumbered)).status).toBe(200);
  expect(await versions(theirs)).toEqual(before);
  expect((await save(9000, renumbered)).status).toBe(200);
  expect(await versions(theirs)).toEqual(before.map((version) => version + 1));
  expect(await versions(others)).toEqual(before);
  // The old form would name the customer that has the number now.
  await save(renumbered, stays);
  const [group = ''] = theirs;
  const stale = { group_name: 'Som før', customers: [renumbered], version: before[0] };
  expect((await client.post(`${group}update/`, stale)).status).toBe(409);
});

test('renumbering a customer and saving its group at once do not deadlock', async () => {
  const seller = await testApp.login();
  await completeProfile(seller);
  // The new numbers stay below the highest number, so that the next free number does not change.
  await createCustomer(seller, { customer_number: 900 });
  const customers = [await createCustomer(seller, { customer_number: 1 })];
  const group = await createGroup(seller, customers);
  const statuses = new Set<number>();
  for (let turn = 0; turn < 30; turn += 1) {
    const [from, to] = turn % 2 === 0 ? [1, 50] : [50, 1];
    const answers = await Promise.all([
      seller.put(`/api/customers/${from}/update/`, { ...CUSTOMER, customer_number: to }),
      seller.post(`/api/customers/groups/${group}/update/`, { group_name: 'G', customers: [from] }),
    ]);
    for (const { status } of answers) statuses.add(status);
  }
  // 400 when the customer was renumbered first and the number is unknown.
  expect(statuses.difference(new Set([200, 400]))).toEqual(new Set());
});

test('deleting a customer changes the version of its groups, and of no other group', async () => {
  const [stays, goes] = [await createCustomer(client), await createCustomer(client)];
  const groups = [await createGroup(client, [stays, goes]), await createGroup(client, [stays])];
  await client.delete(`/api/customers/${goes}/`);
  const read = groups.map(async (uuid) => client.get(`/api/customers/groups/${uuid}/`));
  const [left, untouched] = await Promise.all(read);
  expect(left?.body).toMatchObject({ version: 2, customer_count: 1 });
  expect(untouched?.body).toMatchObject({ version: 1, customer_count: 1 });
  const stale = { group_name: 'Som før', customers: [stays, goes], version: 1 };
  const saved = await client.post(`/api/customers/groups/${groups[0]}/update/`, stale);
  expect(saved.status).toBe(409);
});
