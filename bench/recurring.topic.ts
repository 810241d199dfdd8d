import { setTimeout as sleep } from 'node:timers/promises';

import { todayInOslo } from '../domain/date.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { percentile } from './load.ts';
import { addMembers } from './members.ts';
import { logIn, seedInvoices } from './seed.ts';

/** Between two looks of somebody who watches the list (milliseconds). */
const LOOK_EVERY = 100;
const IDLE_LOOKS = 100;
const SETTLING = 3000;
const TIMEOUT = 30 * 60_000;

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

/** A standing assignment makes a draft for each member, and somebody looks at the list meanwhile. */
export async function measureRecurring(harness: Harness): Promise<Figure[]> {
  const members = harness.options.quick ? 1000 : 20_000;
  const url = await harness.newDatabase();
  const { companyId } = await seedInvoices(url, { invoices: 0 });
  const groupUuid = await addMembers(url, companyId, members);
  const server = await harness.newServer({ DATABASE_URL: url, FEATURES: 'recurring' });
  const call = callerOf(server.origin, await logIn(url, server.origin));
  const uuid = await addAssignment(call, groupUuid);
  const times: number[] = [];
  let early = 0;
  let highest = 0;
  const began = performance.now();
  await call('POST', `/api/invoices/recurring/${uuid}/run/`);
  for (;;) {
    const made = await look(call, times);
    const memory = server.memory();
    if (made <= members / 10) early = Math.max(early, memory);
    highest = Math.max(highest, memory);
    if (made >= members) break;
    if (performance.now() - began > TIMEOUT) throw new Error(`Only ${made} were made in time`);
    await sleep(LOOK_EVERY);
  }
  const seconds = (performance.now() - began) / 1000;
  // The same invoices, and nothing to do.
  await sleep(SETTLING);
  const idle: number[] = [];
  while (idle.length < IDLE_LOOKS) {
    await look(call, idle);
    await sleep(LOOK_EVERY);
  }
  return [
    { name: `make ${members} drafts of one period`, value: members / seconds, unit: '/s' },
    {
      name: 'p95 of the list meanwhile',
      value: p95(times),
      unit: 'ms',
      peer: { name: 'idle', value: p95(idle) },
      target: { is: 'at most', bound: 1.5 },
    },
    {
      name: 'memory at its highest',
      value: highest / 2 ** 20,
      unit: 'MB',
      peer: { name: 'after a tenth', value: early / 2 ** 20 },
      target: { is: 'at most', bound: 1.5 },
    },
  ];
}

/** Adds an assignment whose period has begun, and returns its uuid. */
async function addAssignment(call: Call, groupUuid: string): Promise<string> {
  const { uuid } = (await call('POST', '/api/invoices/recurring/create/', {
    name: 'Kontingent',
    group_uuid: groupUuid,
    delivery_type: 'NONE',
    due_days: 14,
    invoice_lines: [
      {
        invoiced_quantity: 1,
        description: 'Kontingent {periode}',
        net_unit_amount: 500,
        vat_rate_percentage: 0,
      },
    ],
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    first_date: `${todayInOslo().slice(0, 8)}01`,
  })) as { uuid: string };
  return uuid;
}

function callerOf(origin: string, cookie: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as unknown;
  };
}

/** How many drafts the list tells of; how long it took is added to the times. */
async function look(call: Call, times: number[]): Promise<number> {
  const began = performance.now();
  const { summary } = (await call('GET', '/api/invoices/')) as { summary: { drafts: number } };
  times.push(performance.now() - began);
  return summary.drafts;
}

function p95(times: readonly number[]): number {
  return percentile(
    times.toSorted((left, right) => left - right),
    95,
  );
}
