import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile } from '../testing/factories.ts';
import { runCommand } from './run-command.ts';

const OWNER = 'eier@example.no';

let testApp: TestApp;
let owner: TestClient;
let uuid: string;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'members' });
  owner = await testApp.login(OWNER);
  await completeProfile(owner, { company_name: 'Turlaget' });
  uuid = (await owner.get('/api/users/session/')).body.company.uuid;
});
afterAll(async () => testApp.close());

async function run(command: string, ...args: string[]) {
  const lines: string[] = [];
  const exit = await runCommand(testApp.context, command, args, {
    line: (text) => lines.push(text),
    bytes: async () => undefined,
  });
  return { exit, text: lines.join('\n') };
}

// MEM-14
test('a member is added without an invitation, and removed, at once', async () => {
  const email = 'vikar@example.no';
  expect(await run('members', 'add', email, '--company', uuid, '--role', 'AUDITOR')).toEqual({
    exit: 0,
    text: `${email} is a member now (AUDITOR).`,
  });
  expect((await run('members', 'list', OWNER)).text).toBe(
    `${uuid}  Turlaget\n  OWNER  ${OWNER}\n  AUDITOR  ${email}`,
  );
  const client = await testApp.login(email);
  expect((await client.get('/api/users/profile/')).body.company_name).toBe('Turlaget');
  expect((await run('members', 'add', email, '--company', uuid)).exit).toBe(1);
  expect((await run('members', 'remove', email)).text).toBe(`${email} has no access any more.`);
  expect((await client.get('/api/users/profile/')).status).toBe(403);
  const mails = sql`SELECT FROM jobs.job WHERE name = 'member-mail'`;
  expect((await mails.execute(testApp.context.db)).rows).toEqual([]);
});

test('an invited address is let in, and the link of its invitation ends', async () => {
  const email = 'invitert@example.no';
  await owner.post('/api/members/', { email, role: 'EMPLOYEE' });
  expect((await run('members', 'add', email, '--company', uuid)).exit).toBe(0);
  const { body } = await owner.get('/api/members/');
  expect(body).toContainEqual(expect.objectContaining({ email, state: 'ACTIVE' }));
});

test('the last owner stays', async () => {
  const { exit, text } = await run('members', 'remove', OWNER);
  expect(exit).toBe(1);
  expect(text).toContain('last owner');
  expect((await owner.get('/api/users/profile/')).status).toBe(200);
});

// ACC-19, MEM-8
test('a token is for one company, which is named when there are several', async () => {
  const email = 'regnskap@example.no';
  const accountant = await testApp.login(email);
  await completeProfile(accountant, { company_name: 'Regnskap AS' });
  await run('members', 'add', email, '--company', uuid, '--role', 'ACCOUNTANT');
  const several = await run('token', 'create', email);
  expect(several.exit).toBe(1);
  expect(several.text).toContain('Say which, with --company');
  expect(several.text).toContain(`${uuid}  Turlaget`);
  const created = await run('token', 'create', email, '--company', uuid);
  const token = /^[\w-]{43}$/m.exec(created.text)?.[0] ?? '';
  const headers = { authorization: `Bearer ${token}` };
  const call = async (url: string) => testApp.visitor().send({ method: 'GET', url, headers });
  expect((await call('/api/users/profile/')).body.company_name).toBe('Turlaget');
  expect((await call('/api/members/')).status).toBe(403);
  const { companies } = (await call('/api/users/session/')).body;
  const other = companies.find(({ name }: { name: string }) => name === 'Regnskap AS');
  const choose = { method: 'POST', url: '/api/users/company/', headers } as const;
  const payload = { company_uuid: other.uuid };
  expect((await testApp.visitor().send({ ...choose, payload })).status).toBe(404);
});

test.each([
  [['list', 'nobody@example.no'], 1, 'There is no account for nobody@example.no'],
  [['add', 'a@b.no'], 2, 'The uuid of a company is needed'],
  [['add', 'a@b.no', '--company', '11111111-1111-4111-8111-111111111111'], 1, 'no company'],
  [['add', 'a@b.no', '--role', 'BOSS'], 2, 'Not a role: BOSS'],
  [['remove', 'nobody@example.no'], 1, 'There is no account'],
])('%j is answered with help', async (args, exit, text) => {
  const answer = await run('members', ...args);
  expect(answer.exit).toBe(exit);
  expect(answer.text).toContain(text);
});
