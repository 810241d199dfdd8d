import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { keyedHash } from '../platform/crypto.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Role } from '../../domain/permission.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { until } from '../testing/until.ts';

const ROUNDS = 10;

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'members', LOGIN_LIMIT_PER_IP: '1000' });
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
    // The job that mails the invitation may have made another token.
    await until200(async () => {
      await invite(owner, first, second, `token-${round}`);
      return (await other.post('/api/members/accept/', { token: `token-${round}` })).status;
    });
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

async function until200(attempt: () => Promise<number>): Promise<void> {
  for (let time = 0; time < 20; time += 1) if ((await attempt()) === 200) return;
  throw new Error('The invitation was never accepted');
}

test('an invitation that is accepted several times at once works once', async () => {
  const owner = await testApp.login('vert@example.no');
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = `gjest${round}@example.no`;
    const counts: number[] = [];
    await until200(async () => {
      await invite(owner, 'vert@example.no', email, `invitation-${round}`);
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () =>
          testApp.visitor().post('/api/members/accept/', { token: `invitation-${round}` }),
        ),
      );
      const accepted = answers.filter(({ status }) => status === 200).length;
      counts.push(accepted);
      return accepted > 0 ? 200 : 404;
    });
    expect(counts.at(-1)).toBe(1);
  }
});

// MEM-19
test('a call that waits for its company is refused when its member is removed meanwhile', async () => {
  const owner = await testApp.login('holder@example.no');
  await completeProfile(owner);
  const draft = await createDraft(owner, await createCustomer(owner));
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, 'holder@example.no');
  const member = await testApp.login('venter@example.no');
  const { accountId } = await db
    .insertInto('member')
    .columns(['companyId', 'accountId', 'email', 'role'])
    .expression((query) =>
      query
        .selectFrom('account')
        .select([
          sql.val(companyId).as('companyId'),
          'id',
          'email',
          sql.val<Role>('OWNER').as('role'),
        ])
        .where('email', '=', 'venter@example.no'),
    )
    .returning('accountId')
    .executeTakeFirstOrThrow();
  const { company } = (await owner.get('/api/users/session/')).body;
  await member.post('/api/users/company/', { company_uuid: company.uuid });
  const answer = await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const call = member.delete(`/api/invoices/${draft}/`);
    await until(
      async () =>
        (
          await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'`.execute(db)
        ).rows.length,
      (waiting) => waiting > 0,
    );
    await trx
      .deleteFrom('member')
      .where('companyId', '=', companyId)
      .where('accountId', '=', accountId)
      .execute();
    return { call };
  });
  expect((await answer.call).status).toBe(403);
  expect((await owner.get(`/api/invoices/${draft}/`)).status).toBe(200);
});
