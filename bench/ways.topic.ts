import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';

import { addDays, todayInOslo } from '../domain/date.ts';
import { createApp } from '../server/app.ts';
import { createLog } from '../server/platform/log/log.ts';
import { readConfig } from '../server/config.ts';
import type { Db } from '../server/platform/db/database.ts';
import { ocrFile } from '../server/testing/bank-files/ocr-file.ts';
import { assignmentBody, CUSTOMER, invoiceBody } from '../server/testing/factories.ts';
import { registeredInTime } from '../server/testing/late-invoices.ts';
import { until } from '../server/testing/until.ts';
import { type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { ask, signUp } from './person.ts';
import { BANK_ACCOUNT } from './sample-invoices.ts';

const ROOT = `file://${join(import.meta.dirname, '..')}/`;
/** Interval and limit of the wait for a mail (milliseconds). */
const POLL = 20;
const TIMEOUT = 30_000;
/** In this time everything runs once that the clock repeats in between (milliseconds). */
const IDLE = 3000;

/**
 * Counts our files that each use case passes: those in which V8's precise coverage saw a named function run during
 * one real request and its jobs, without those that every request passes (`GET /api/users/session/`). Functions that
 * run without any request do not count, nor do threads.
 */
export async function measureWays(harness: Harness): Promise<Figure[]> {
  const caller = await startInProcess(harness);
  const coverage = await startCoverage(harness);
  const every = await coverage.filesOf(async () => caller.answerOf('GET', '/api/users/session/'));
  await coverage.ignore(async () => sleep(IDLE));
  const figures: Figure[] = [];
  for (const [name, prepare] of Object.entries(USE_CASES)) {
    const run = await prepare(caller);
    const files = await coverage.filesOf(run);
    const own = [...files].filter((file) => !every.has(file)).toSorted();
    harness.say(`${name}:\n    ${own.join('\n    ')}`);
    figures.push(figure(name, own.length, 'files'));
  }
  return figures;
}

/** Each prepares its data and returns the measured part. */
const USE_CASES: Readonly<Record<string, (caller: Caller) => Promise<() => Promise<unknown>>>> = {
  'create a draft': async (caller) => async () => newDraft(caller),
  register: async (caller) => {
    const uuid = await newDraft(caller);
    return async () => queue(caller, uuid);
  },
  'register and mail': async (caller) => {
    const uuid = await newDraft(caller, { delivery_type: 'EMAIL' });
    return async () => {
      await queue(caller, uuid);
      await untilSent(caller, uuid);
    };
  },
  'book an entry': async (caller) => {
    const uuid = await newDraft(caller);
    await queue(caller, uuid);
    const { customer_identification_number: kid, amount_due: amount } = await read(caller, uuid);
    const file = await caller.answerOf('POST', '/api/payments/files/', bankFile(kid, amount));
    return async () => caller.answerOf('POST', `/api/payments/files/${uuidOf(file)}/book/`);
  },
  'remind by hand': async (caller) => {
    const late = { issue_date: addDays(todayInOslo(), -90), delivery_type: 'EMAIL' };
    const uuid = await newDraft(caller, late);
    await queue(caller, uuid);
    await untilSent(caller, uuid);
    await registeredInTime(caller.db, [uuid]);
    const path = `/api/invoices/${uuid}/reminders/`;
    return async () => {
      await caller.answerOf('POST', path, { kind: 'REMINDER', fee: false, interest: false });
      await untilSent(caller, uuid);
    };
  },
  "an assignment's run": async (caller) => {
    const body = assignmentBody({ customer_numbers: [1], day: Number(todayInOslo().slice(8)) });
    const made = await caller.answerOf('POST', '/api/invoices/recurring/create/', body);
    return async () => caller.answerOf('POST', `/api/invoices/recurring/${uuidOf(made)}/run/`);
  },
};

async function newDraft(caller: Caller, changes: object = {}): Promise<string> {
  const drafts = await caller.answerOf('POST', '/api/invoices/create/', invoiceBody([1], changes));
  return uuidOf((drafts as unknown[])[0]);
}

async function queue(caller: Caller, uuid: string): Promise<unknown> {
  return caller.answerOf('POST', `/api/invoices/queue/?invoice_uuid=${uuid}`);
}

async function read(caller: Caller, uuid: string): Promise<InvoiceAnswer> {
  return (await caller.answerOf('GET', `/api/invoices/${uuid}/`)) as InvoiceAnswer;
}

/** Waits until all deliveries of an invoice are sent. It asks the database, so that no file counts because of it. */
async function untilSent({ db }: Caller, uuid: string): Promise<void> {
  const look = async () =>
    sql<{ sent: boolean | null }>`
      SELECT bool_and(delivery.status = 'SENT') AS sent FROM delivery
      JOIN invoice ON invoice.id = delivery.invoice_id WHERE invoice.uuid = ${uuid}`.execute(db);
  await until(look, ({ rows }) => rows[0]?.sent === true, TIMEOUT, POLL);
}

function uuidOf(answer: unknown): string {
  return (answer as { uuid: string }).uuid;
}

interface InvoiceAnswer {
  readonly customer_identification_number: string;
  readonly amount_due: number;
}

interface Caller {
  readonly db: Db;
  answerOf(method: string, path: string, body?: object): Promise<unknown>;
}

/** The product in this process, on the embedded database, with a customer whose number is 1. */
async function startInProcess(harness: Harness): Promise<Caller> {
  const dataDir = await harness.newFolder();
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', FEATURES: 'all', LOG_LEVEL: 'silent' });
  const app = await createApp({ config, log: createLog(config), webFolder: null });
  harness.defer(async () => app.close());
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const person = await signUp(origin, dataDir, 'ways@example.no');
  await ask(person, 'POST', '/api/customers/create/', CUSTOMER);
  return { db: app.context.db, answerOf: async (...request) => ask(person, ...request) };
}

async function startCoverage(harness: Harness) {
  const session = new Session();
  session.connect();
  harness.defer(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const ignored = new Set<string>();
  /** The named functions of our files that ran meanwhile. */
  const functionsOf = async (work: () => Promise<unknown>) => {
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .map(({ url, functions }) => ({ file: url.replace(ROOT, ''), functions }))
      .filter(({ file }) => /^(?:server\/(?!testing\/)|domain\/)/.test(file))
      .flatMap(({ file, functions }) =>
        functions
          .filter(({ functionName, ranges: [all] }) => functionName !== '' && (all?.count ?? 0) > 0)
          .map(({ functionName, ranges: [all] }) => ({
            file,
            name: `${file} ${functionName} ${all?.startOffset}`,
          })),
      );
  };
  return {
    /** The functions that run meanwhile count no more. */
    ignore: async (work: () => Promise<unknown>): Promise<void> => {
      for (const { name } of await functionsOf(work)) ignored.add(name);
    },
    /** Our files in which a named function ran meanwhile, by their path in the project. */
    filesOf: async (work: () => Promise<unknown>): Promise<Set<string>> => {
      const ran = await functionsOf(work);
      return new Set(ran.filter(({ name }) => !ignored.has(name)).map(({ file }) => file));
    },
  };
}

/** An OCR file with one payment to the account of the sample profile, in kroner. */
function bankFile(kid: string, kroner: number): Buffer {
  const payments = [{ kid, amount: Math.round(kroner * 100) }];
  return ocrFile([{ assignments: [{ account: BANK_ACCOUNT, payments }] }]);
}
