import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { keyedHash } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Role } from '../../domain/permission.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { untilBlocked } from '../testing/until.ts';

const ROUNDS = 10;

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'members', LOGIN_LIMIT_PER_IP: '1000' });
  // The job that mails an invitation makes another token than the one that the test knows.
  await testApp.context.jobs.stop();
});
afterAll(async () => testApp.close());

/** Invites an address with a token that the test knows. */
async function invite(owner: TestClient, ofOwner: string, email: string, token: string) {
  const { config, db } = testApp.context;
  await db.deleteFrom('rateLimit').execute();
  const { uuid } = (await owner.post('/api/members/', { email, role: 'OWNER' })).body;
  const companyId = await companyIdOf(db, ofOwner);
  const tokenHash = keyedHash(config.secretKey, 'invitation', token);
  const set = db.updateTable('member').set({ tokenHash });
  await set.where('companyId', '=', companyId).where('uuid', '=', uuid).execute();
}

const uuidOf = async (client: TestClient): Promise<string> =>
  (await client.get('/api/members/')).body.find(({ is_you: isYou }: { is_you: boolean }) => isYou)
    .uuid;

test('of two owners who leave or lower themselves at once, one stays', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = [`en${round}@example.no`, `to${round}@example.no`];
    const owner = await testApp.login(first);
    const other = testApp.visitor();
    await invite(owner, first, second, `token-${round}`);
    const { status } = await other.post('/api/members/accept/', { token: `token-${round}` });
    expect(status).toBe(200);
    const uuids = [await uuidOf(owner), await uuidOf(other)] as const;
    const leave = async (client: TestClient, uuid: string) =>
      round % 2 === 0
        ? client.delete(`/api/members/${uuid}/`)
        : client.put(`/api/members/${uuid}/`, { role: 'EMPLOYEE' });
    const answers = await Promise.all([leave(owner, uuids[0]), leave(other, uuids[1])]);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([round % 2 === 0 ? 204 : 200, 409]));
  }
});

test('an invitation that is accepted several times at once works once', async () => {
  const owner = await testApp.login('vert@example.no');
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = `gjest${round}@example.no`;
    await invite(owner, 'vert@example.no', email, `invitation-${round}`);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        testApp.visitor().post('/api/members/accept/', { token: `invitation-${round}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

/** Makes another account an owner too, who works for this company. */
async function addOwner(owner: TestClient, companyId: number, email: string): Promise<TestClient> {
  const client = await testApp.login(email);
  await testApp.context.db
    .insertInto('member')
    .columns(['companyId', 'accountId', 'email', 'role'])
    .expression((query) =>
      query
        .selectFrom('account')
        .select([sql.val(companyId).as('companyId'), 'id', 'email'])
        .select(sql.val<Role>('OWNER').as('role'))
        .where('email', '=', email),
    )
    .execute();
  const { company } = (await owner.get('/api/users/session/')).body;
  await client.post('/api/users/company/', { company_uuid: company.uuid });
  return client;
}

// MEM-19
describe('a call is refused whose member is removed while it waits', () => {
  let owner: TestClient;
  let companyId: number;
  let customer: number;
  let draft: string;
  let members = 0;

  beforeAll(async () => {
    owner = await testApp.login('holder@example.no');
    await completeProfile(owner);
    companyId = await companyIdOf(testApp.context.db, 'holder@example.no');
    customer = await createCustomer(owner);
    draft = await createDraft(owner, customer);
  });

  /** Calls while a lock is held, and removes the caller before the lock is given up. */
  async function callWhile(
    lock: (trx: Trx) => Promise<unknown>,
    call: (member: TestClient) => Promise<{ status: number }>,
  ): Promise<number> {
    const { db } = testApp.context;
    members += 1;
    const email = `venter${members}@example.no`;
    const member = await addOwner(owner, companyId, email);
    const { answer } = await db.transaction().execute(async (trx) => {
      await lock(trx);
      const answer = call(member);
      await untilBlocked(db);
      await trx
        .deleteFrom('member')
        .where('companyId', '=', companyId)
        .where('email', '=', email)
        .execute();
      return { answer };
    });
    return (await answer).status;
  }

  test('for its company', async () => {
    const path = `/api/invoices/${draft}/`;
    const lock = async (trx: Trx) => lockCompany(trx, companyId);
    expect(await callWhile(lock, async (member) => member.delete(path))).toBe(403);
    expect((await owner.get(path)).status).toBe(200);
  });

  test('for the row that it changes', async () => {
    const path = `/api/customers/${customer}/`;
    const lock = async (trx: Trx) =>
      sql`SELECT FROM customer WHERE company_id = ${companyId} FOR UPDATE`.execute(trx);
    const before = (await owner.get(path)).body;
    const form = { ...before, name: 'En annen', version: undefined };
    const call = async (member: TestClient) => member.put(`${path}update/`, form);
    expect(await callWhile(lock, call)).toBe(403);
    expect((await owner.get(path)).body).toEqual(before);
  });

  test('for the row that it deletes', async () => {
    const path = '/api/customers/groups/';
    const form = { group_name: 'Faste', customers: [customer] };
    const { uuid } = (await owner.post(`${path}create/`, form)).body;
    const lock = async (trx: Trx) =>
      sql`SELECT FROM customer_group WHERE company_id = ${companyId} FOR UPDATE`.execute(trx);
    const call = async (member: TestClient) => member.delete(`${path}${uuid}/`);
    expect(await callWhile(lock, call)).toBe(403);
    expect((await owner.get(`${path}${uuid}/`)).status).toBe(200);
  });
});
