import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '../../context.ts';
import { runCommand } from '../../operator/run-command.ts';
import type { Db } from '../../platform/db/database.ts';
import { findCompaniesToTell } from '../../quote/quote-failure.repository.ts';
import { startTestApp } from '../../testing/app.ts';
import { companyIdOf } from '../../testing/company.ts';
import { openMigratedDatabase } from '../../testing/database.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  register,
} from '../../testing/factories.ts';
import { startMailServer, type MailServer } from '../../testing/smtp-server.ts';
import { until } from '../../testing/until.ts';

const OWNER = 'kari@fjordlys.no';
const FEATURES = 'export,quotes';

let folder: string;
let smtp: MailServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-archive-sending-'));
  smtp = await startMailServer();
});
afterAll(async () => {
  await smtp.close();
  await rm(folder, { recursive: true, force: true });
});

async function runCompany(context: Context, ...args: string[]): Promise<void> {
  const file = args[0] === 'export' ? await open(args.at(-1) ?? '', 'wx') : null;
  const exit = await runCommand(context, 'company', args, {
    line: () => undefined,
    bytes: async (chunk) => void (await file?.write(chunk)),
  });
  await file?.close();
  expect(exit).toBe(0);
}

async function deliveries(db: Db) {
  return db
    .selectFrom('delivery')
    .select(['status', 'failureReason', 'recipient', 'waitingReason'])
    .where('companyId', '=', await companyIdOf(db, OWNER))
    .execute();
}

test('what was under way when the archive was made is sent again by its owner alone, and once', async () => {
  // Nobody answers there, so the delivery waits.
  const source = await startTestApp({ FEATURES, SMTP_URL: 'smtp://127.0.0.1:1' });
  const file = join(folder, 'archive.zip');
  let uuid: string;
  let quote: string;
  try {
    const owner = await source.login(OWNER);
    await completeProfile(owner);
    const customer = await createCustomer(owner, { email: 'kunde@example.no' });
    uuid = await createDraft(owner, customer, { delivery_type: 'EMAIL' });
    await register(owner, uuid);
    const { db } = source.context;
    await sql`UPDATE company SET created_at = now() - interval '30 days'
      WHERE id = ${await companyIdOf(db, OWNER)}`.execute(db);
    const queued = await until(
      async () => deliveries(db),
      (found) => found.length > 0,
    );
    expect(queued).toMatchObject([{ status: 'QUEUED', failureReason: null }]);
    quote = (await addQuote(owner, customer)).uuid;
    expect((await owner.post(`/api/quotes/${quote}/send/`, {})).body).toMatchObject({
      deliveries: [{ status: 'QUEUED' }],
    });
    await runCompany(source.context, 'export', OWNER, file);
  } finally {
    await source.close();
  }

  const copy = await startTestApp(
    { FEATURES, SMTP_URL: smtp.url, NEW_COMPANY_MAILS_PER_DAY: '1' },
    { database: await openMigratedDatabase() },
  );
  try {
    const { context } = copy;
    await runCompany(context, 'import', file);
    expect(await deliveries(context.db)).toMatchObject([
      { status: 'FAILED', failureReason: expect.stringMatching(/^Ikke sendt:/) as string },
    ]);
    const owner = await copy.login(OWNER);
    expect((await owner.get('/api/invoices/?status=FAILED')).body).toMatchObject({
      results: [{ uuid }],
      summary: { failed: 1 },
    });
    await owner.post('/api/invoices/queue/');
    await until(
      async () => (await context.jobs.depths()).filter(({ name }) => /dispatch|deliver/.test(name)),
      (waiting) => waiting.length === 0,
    );
    const sent = () => smtp.mails.filter(({ to }) => to.includes('kunde@example.no'));
    expect(sent()).toEqual([]);
    expect((await owner.get(`/api/quotes/${quote}/`)).body).toMatchObject({
      state: 'SENT',
      deliveries: [
        {
          status: 'FAILED',
          failure_reason: expect.stringMatching(/^Ikke sendt: tilbudet/) as string,
        },
      ],
    });
    // The owner is told of nothing that failed before.
    expect(await findCompaniesToTell(context.db)).toEqual([]);
    expect((await owner.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    await until(
      async () => deliveries(context.db),
      (found) => found.some(({ status }) => status === 'SENT'),
    );
    expect(sent()).toHaveLength(1);
    // EXP-47: a restored company is a new one here.
    const next = await createDraft(owner, 1, { delivery_type: 'EMAIL' });
    await register(owner, next);
    await until(
      async () => deliveries(context.db),
      (found) => found.some(({ waitingReason }) => waitingReason !== null),
    );
    expect(sent()).toHaveLength(1);
  } finally {
    await copy.close();
  }
});
