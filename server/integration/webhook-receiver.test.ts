import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { completeProfile } from '../testing/factories.ts';
import { freePort, ROOT } from '../testing/process.ts';
import { eventually, until } from '../testing/until.ts';

let folder: string;
let port: number;
let testApp: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-receiver-'));
  port = await freePort();
  testApp = await startTestApp({
    FEATURES: 'integrations',
    WEBHOOK_HOSTS: `127.0.0.1:${port}`,
  });
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true, force: true });
});

// INT-19
test('the receiver of docs/integrations.md takes what is signed, and nothing else', async () => {
  const owner = await testApp.login();
  await completeProfile(owner);
  const url = `http://127.0.0.1:${port}/`;
  const { body: webhook } = await owner.post('/api/webhooks/', { url, events: ['*'] });
  const paper = await readFile(join(ROOT, 'docs/integrations.md'), 'utf8');
  const code = /```js\n(.*?)```/s.exec(paper)?.[1] ?? '';
  const file = join(folder, 'receiver.mjs');
  await writeFile(file, code);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: webhook.secret };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  receiver.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const send = async (timestamp: number, secret: string) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.{}`).digest('base64');
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
      return fetch(url, { method: 'POST', body: '{}', headers });
    };
    const now = Math.floor(Date.now() / 1000);
    const first = await eventually(
      async () => send(now, `whsec_${'A'.repeat(43)}=`).catch(() => undefined),
      'the receiver',
    );
    expect(first.status).toBe(401);
    expect((await send(now - 3600, webhook.secret)).status).toBe(401);
    expect(output).toBe('');
    await owner.post(`/api/webhooks/${webhook.uuid}/test/`);
    const text = await until(
      () => output,
      (printed) => printed.includes('\n'),
    );
    expect(JSON.parse(text)).toMatchObject({ type: 'webhook.test', data: { hello: 'Faktur' } });
  } finally {
    receiver.kill();
  }
});
