import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { createCustomer, createDraft, register } from '../testing/factories.ts';
import { killRounds, logIn, openStage, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

const SETTINGS = { FEATURES: 'credit', DISPATCH: 'staff' };
/** More than all rounds credit. */
const HOURS = 10_000;
const KILLS = killRounds(2);
/** The latest moment of a kill, counted from the first answer of a process (ms). */
const LATEST_KILL = 150;
const AT_ONCE = 6;

const answer = z.object({
  credited_amount: z.number(),
  credit_notes: z.array(z.object({ invoice_number: z.number() })),
  lines: z.array(z.object({ id: z.number(), quantity_left: z.number() })),
});
const creditNote = z.object({ gross_amount: z.number() });

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => stage.close());

test('what is credited is what its credit notes say, wherever a process was killed', async () => {
  let product = await stage.start(SETTINGS);
  let client = await logIn(product, stage.smtp, 'tomrer@example.no');
  const number = await register(
    client,
    await createDraft(client, await createCustomer(client), {
      invoice_lines: [
        {
          invoiced_quantity: HOURS,
          description: 'Arbeid',
          net_unit_amount: 333.33,
          vat_rate_percentage: 25,
        },
      ],
    }),
  );
  const read = async () => answer.parse((await client.get(`/api/invoices/${number}/`)).body);
  const [line] = (await read()).lines;
  const { uuid } = z
    .object({ uuid: z.string() })
    .parse((await client.get(`/api/invoices/${number}/`)).body);
  let answered = 0;
  const refused: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const calls = Array.from({ length: AT_ONCE }, async () => {
      // The answers of the last calls are lost with the process.
      for (;;) {
        const body = { lines: [{ id: line?.id, quantity: 1 }] };
        const { status } = await client.post(`/api/invoices/${uuid}/credit/`, body);
        if (status !== 201) return void refused.push(status);
        answered += 1;
      }
    }).map(async (call) => call.catch(() => undefined));
    const before = answered;
    await until(
      async () => answered > before,
      (isAnswered) => isAnswered,
    );
    await sleep((LATEST_KILL * (kill - Math.random())) / KILLS);
    await product.kill();
    await Promise.all(calls);
    const { cookieHeader } = client;
    product = await stage.start(SETTINGS);
    client = product.visitor(cookieHeader);
    const invoice = await read();
    const numbers = invoice.credit_notes.map((note) => note.invoice_number);
    expect(numbers.length).toBeGreaterThanOrEqual(answered);
    // No number is missing or given twice.
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      numbers.map((_, index) => number + 1 + index),
    );
    const notes = await Promise.all(
      numbers.map(async (of) => creditNote.parse((await client.get(`/api/invoices/${of}/`)).body)),
    );
    const ore = notes.reduce((sum, { gross_amount: gross }) => sum + Math.round(gross * 100), 0);
    expect(Math.round(invoice.credited_amount * 100)).toBe(ore);
    expect(invoice.lines[0]?.quantity_left).toBe(HOURS - numbers.length);
  }
  expect(refused).toEqual([]);
  expect(await product.stop()).toBe(0);
}, 600_000);
