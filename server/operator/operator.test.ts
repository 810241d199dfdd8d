import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, STAFF_EMAIL, type TestApp } from '../testing/app.ts';
import { completeProfile } from '../testing/factories.ts';
import { runCommand } from './run-command.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
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

describe('staff', () => {
  // ACC-1
  test('is granted and revoked at once, also in open sessions', async () => {
    const client = await testApp.login('helper@example.no');
    expect((await client.post('/api/invoices/send/')).status).toBe(403);
    expect(await run('staff', 'add', ' Helper@Example.no ')).toEqual({
      exit: 0,
      text: 'helper@example.no is staff now.',
    });
    expect((await client.post('/api/invoices/send/')).status).toBe(204);
    expect((await client.get('/api/users/session/')).body.is_staff).toBe(true);
    expect((await run('staff', 'list')).text).toBe(
      `helper@example.no  (by command)\n${STAFF_EMAIL}  (by STAFF_EMAILS, has not signed up)`,
    );
    expect((await run('staff', 'remove', 'helper@example.no')).exit).toBe(0);
    expect((await client.post('/api/invoices/send/')).status).toBe(403);
  });

  test('from STAFF_EMAILS cannot be revoked, and the command gives the reason', async () => {
    const client = await testApp.login(STAFF_EMAIL);
    const { exit, text } = await run('staff', 'remove', STAFF_EMAIL);
    expect(exit).toBe(1);
    expect(text).toContain('STAFF_EMAILS names it');
    expect((await client.get('/api/users/session/')).body.is_staff).toBe(true);
  });

  test.each([
    [['add', 'nobody@example.no'], 1, 'There is no account for nobody@example.no'],
    [['add'], 2, 'An e-mail address is needed'],
    [['promote', 'a@b.no'], 2, 'Unknown: promote'],
    [[], 2, 'npm run staff -- add EMAIL'],
    [['list', '--verbose'], 2, "Unknown option '--verbose'"],
  ])('%j is answered with help', async (args, exit, text) => {
    const answer = await run('staff', ...args);
    expect(answer.exit).toBe(exit);
    expect(answer.text).toContain(text);
  });
});

test('the count says so when there are no documents', async () => {
  expect(await run('documents', 'count')).toEqual({
    exit: 0,
    text: 'There are no files of documents.',
  });
});

describe('a token', () => {
  async function call(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    return testApp.visitor().send({ method: 'GET', url: '/api/users/profile/', headers });
  }

  // ACC-19
  test('lets a program in as its owner, until it is revoked', async () => {
    const owner = await testApp.login('program@example.no');
    await completeProfile(owner, { company_name: 'Program AS' });
    expect((await call('A'.repeat(43))).status).toBe(401);

    const created = await run('token', 'create', 'program@example.no', '--name', 'Nightly');
    const token = /^[\w-]{43}$/m.exec(created.text)?.[0] ?? '';
    const id = /^Token (\d+) /.exec(created.text)?.[1] ?? '';
    expect((await run('token', 'list', 'program@example.no')).text).toMatch(/Nightly.*never used/);
    const answer = await call(token);
    expect(answer).toMatchObject({ status: 200, body: { company_name: 'Program AS' } });
    const listed = await run('token', 'list', 'program@example.no');
    expect(listed.text).toMatch(new RegExp(`^${id} {2}Nightly {2}made 20.*, used 20`));
    expect(listed.text).not.toContain(token);

    expect((await run('token', 'revoke', id)).exit).toBe(0);
    expect((await call(token)).status).toBe(401);
    expect((await run('token', 'revoke', id)).exit).toBe(1);
  });

  test('needs an account and its owner an address', async () => {
    expect((await run('token', 'create', 'nobody@example.no')).exit).toBe(1);
    expect((await run('token', 'list', 'nobody@example.no')).exit).toBe(1);
    const unnamed = await run('token', 'create');
    expect(unnamed.exit).toBe(2);
    // INT-6
    expect(unnamed.text).toContain('/profile/integrations/');
    expect((await run('token', 'revoke', 'first')).exit).toBe(2);
  });

  test.each(['', '  ', 'two\nlines', 'x'.repeat(101)])('is not named %j', async (name) => {
    const email = 'named@example.no';
    await testApp.login(email);
    const answer = await run('token', 'create', email, '--name', name);
    expect(answer.exit).toBe(2);
    expect(answer.text).toContain('A name has 1 to 100 characters, and no line breaks');
    expect((await run('token', 'list', email)).text).toBe(`${email} has no tokens.`);
  });
});
