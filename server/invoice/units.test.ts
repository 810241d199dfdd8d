import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import type { Database } from '../platform/db/database.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { openMigratedDatabase } from '../testing/database.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  invoiceBody,
  line,
  register,
} from '../testing/factories.ts';

const OWNER = 'frisor@example.no';
const HOURS = { ...line('Rådgivning', 950.33, 25, 7.5), unit: 'HUR' };
const PAPER = { ...line('Papir', 12.5, 15, 0.125), unit: 'KGM' };
const LINES = [HOURS, PAPER, line('Kjøring', 100, 0, 2)];

let database: Database;
let testApp: TestApp;
let client: TestClient;
let customer: number;

/** Starts the product with these features on the same database. */
async function restart(features: string): Promise<void> {
  await testApp?.close();
  const kept = { ...database, close: async () => undefined };
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: features }, { database: kept });
  client = await testApp.login(OWNER);
}

beforeAll(async () => {
  database = await openMigratedDatabase();
  await restart('units,recurring');
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});

const draftOf = async (invoiceLines: object[]) =>
  createDraft(client, customer, { invoice_lines: invoiceLines });
const read = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body;
const counted = (lines: { invoiced_quantity: number; unit?: string }[]) =>
  lines.map(({ invoiced_quantity, unit }) => [invoiced_quantity, unit]);

const refused = async (changes: object) => {
  const answer = await client.post(
    '/api/invoices/create/',
    invoiceBody([customer], { invoice_lines: [{ ...HOURS, ...changes }] }),
  );
  return [answer.status, answer.body.detail];
};

/** The JSON Schema of a line in the API's description of a new invoice. */
async function describedLine(): Promise<Record<string, { type?: string }>> {
  const { paths } = (await client.get('/api/openapi.json')).body;
  const body = paths['/api/invoices/create/'].post.requestBody.content['application/json'].schema;
  const { anyOf } = body.properties.invoice_lines;
  return anyOf[0].items.properties;
}

const made: Record<string, string> = {};
let templateId: number;
let assignment: { uuid: string; version: number };

// INV-5
describe('with units on', () => {
  test('half an hour is billed, and each line is rounded once', async () => {
    made['draft'] = await draftOf(LINES);
    const draft = await read(made['draft']);
    expect(counted(draft.lines)).toEqual([
      [7.5, 'HUR'],
      [0.125, 'KGM'],
      [2, 'EA'],
    ]);
    // 7.5 × 950.33 = 7127.475, and 0.125 × 12.5 = 1.5625
    expect(draft.lines.map((each: { net_amount: number }) => each.net_amount)).toEqual([
      7127.48, 1.56, 200,
    ]);
    expect(draft).toMatchObject({ net_amount: 7329.04, vat_amount: 1782.1, gross_amount: 9111.14 });
    expect(draft.vat_amount).toBe(1781.87 + 0.23);
  });

  test('a registered invoice keeps its units, and so does its credit note', async () => {
    made['credited'] = await draftOf(LINES);
    await register(client, made['credited']);
    expect((await client.delete(`/api/invoices/${made['credited']}/`)).status).toBe(204);
    const { credit_note: note, lines } = await read(made['credited']);
    expect(counted((await read(note.uuid)).lines)).toEqual(counted(lines));
    for await (const report of checkLedger(testApp.context.db)) {
      expect(report).toMatchObject({ documents: 2, fault: null });
    }
    const { rows } = await sql<{ version: number; content: string }>`
      SELECT version, content FROM document ORDER BY id`.execute(testApp.context.db);
    expect(rows.map(({ version }) => version)).toEqual([3, 3]);
    for (const { content } of rows) {
      expect(content).toContain('"quantity":7.5,"unit":"HUR"');
    }
  });

  test('the API description has units', async () => {
    const { invoiced_quantity: quantity, unit } = await describedLine();
    expect(quantity).toMatchObject({ type: 'number', minimum: 0.001, multipleOf: 0.001 });
    expect(JSON.stringify(unit)).toContain('EA unless stated');
  });

  test.each([
    [{ invoiced_quantity: 0 }, 'invoiced_quantity must be greater than or equal to 0.001'],
    [{ invoiced_quantity: 0.0004 }, 'invoiced_quantity must be greater than or equal to 0.001'],
    [{ invoiced_quantity: 1.0005 }, 'invoiced_quantity must have at most three decimals'],
    [{ unit: 'time' }, 'unit must be a code of UN/ECE Recommendation 20'],
    [
      { invoiced_quantity: 1_000_000.5, net_unit_amount: 90_071_992_547.4 },
      'net_unit_amount times the quantity is too large',
    ],
  ])('%j is refused', async (changes, rule) => {
    const message = `invoice_lines[0].${rule}`;
    expect(await refused(changes)).toEqual([400, [{ field: message.split(' ')[0], message }]]);
  });

  test('a unit that the rules of EHF do not know is refused', async () => {
    const unknown = {
      field: 'invoice_lines[0].unit',
      message: 'There is no unit ZZZ in UN/ECE Recommendation 20',
    };
    expect(await refused({ unit: 'ZZZ' })).toEqual([400, [unknown]]);
    const template = { name: 'Feil', delivery_type: 'NONE', due_days: 1 };
    const lines = [{ ...HOURS, unit: 'ZZZ' }];
    const answer = await client.post('/api/invoices/template/create/', { ...template, lines });
    expect(answer.body.detail).toEqual([{ ...unknown, field: 'lines[0].unit' }]);
  });

  test('blank is a piece, and every other code that the rules allow is taken', async () => {
    const { unit: _unit, ...hours } = HOURS;
    const lines = [null, '', 'C62', 'XPX'].map((unit) => Object.assign({ unit }, hours));
    const { lines: kept } = await read(await draftOf(lines));
    expect(kept.map((each: { unit: string }) => each.unit)).toEqual(['EA', 'EA', 'C62', 'XPX']);
  });

  test('templates and standing assignments have units, and so have their invoices', async () => {
    templateId = await createTemplate(client, { lines: LINES });
    const [draft] = (
      await client.post(`/api/invoices/template/${templateId}/create-invoice/`, {
        customer_numbers: [customer],
        issue_date: '2026-11-22',
      })
    ).body;
    expect(counted(draft.lines)).toEqual(counted((await read(draft.uuid)).lines));
    const { lines } = (await client.get(`/api/invoices/template/${templateId}/`)).body;
    expect(counted(lines)).toEqual(counted(draft.lines));

    assignment = await addAssignment(client, {
      customer_numbers: [customer],
      day: Number(todayInOslo().slice(8)),
      invoice_lines: LINES,
    });
    const path = `/api/invoices/recurring/${assignment.uuid}/`;
    expect(counted((await client.get(path)).body.invoice_lines)).toEqual(counted(lines));
    const run = await client.post(`${path}run/`);
    expect(counted((await read(run.body.invoices[0])).lines)).toEqual(counted(lines));
  });

  test('a draft is changed to other decimals and other units', async () => {
    made['changed'] = await draftOf([line('Uten', 1, 25)]);
    const draft = await read(made['changed']);
    const saved = await client.put(`/api/invoices/${made['changed']}/`, {
      ...draft,
      invoice_lines: [{ ...HOURS, unit: 'DAY' }, PAPER],
    });
    expect(saved.status).toBe(200);
    expect(saved.body.gross_amount).toBe(8911.14);
    expect(counted(saved.body.lines)).toEqual([
      [7.5, 'DAY'],
      [0.125, 'KGM'],
    ]);
    made['changed'] = await draftOf([HOURS, PAPER]);
  });

  test('the sums of the list equal the sums of its lines', async () => {
    const before = (await client.get('/api/invoices/')).body.summary;
    made['registered'] = await draftOf([HOURS]);
    await register(client, made['registered']);
    const { summary } = (await client.get('/api/invoices/')).body;
    const [now, then] = [summary, before].map(({ outstanding_amount: kroner }) =>
      Math.round(kroner * 100),
    );
    // 7127.48 with 25 %
    expect((now ?? 0) - (then ?? 0)).toBe(890_935);
  });
});

// INV-5
describe('with units off again', () => {
  beforeAll(async () => restart('recurring'));

  test('quantities are whole, and a unit is ignored', async () => {
    expect(await refused({ invoiced_quantity: 1.5 })).toEqual([
      400,
      [
        {
          field: 'invoice_lines[0].invoiced_quantity',
          message: 'invoice_lines[0].invoiced_quantity must be an integer',
        },
      ],
    ]);
    const uuid = await draftOf([{ ...line('Rådgivning', 950, 25, 7), unit: 'nonsense' }]);
    const [kept] = (await read(uuid)).lines;
    expect(kept.invoiced_quantity).toBe(7);
    expect(kept).not.toHaveProperty('unit');
  });

  test('the API description has no units', async () => {
    const described = await describedLine();
    expect(described['invoiced_quantity']).toMatchObject({ type: 'integer', minimum: 1 });
    expect(described).not.toHaveProperty('unit');
  });

  test('a draft is not changed to other decimals, and keeps its units', async () => {
    const uuid = made['changed'] ?? '';
    const draft = await read(uuid);
    const save = async (lines: object[]) =>
      client.put(`/api/invoices/${uuid}/`, { ...draft, invoice_lines: lines });
    const [hours, paper] = draft.lines;
    expect((await save([{ ...hours, invoiced_quantity: 8.5 }])).status).toBe(400);
    const saved = await save([
      { ...hours, invoiced_quantity: 8, unit: 'DAY' },
      { ...paper, invoiced_quantity: 1, description: 'Kartong' },
    ]);
    expect(saved.status).toBe(200);
    expect(counted(saved.body.lines)).toEqual([
      [8, 'HUR'],
      [1, undefined],
    ]);
  });

  test('an invoice made with units is read, registered and credited', async () => {
    const uuid = made['draft'] ?? '';
    expect(counted((await read(uuid)).lines)[0]).toEqual([7.5, 'HUR']);
    await register(client, uuid);
    const ehf = await client.get(`/api/invoices/${uuid}/efaktura/`);
    expect(ehf.text).toContain('<cbc:InvoicedQuantity unitCode="HUR">7.5</cbc:InvoicedQuantity>');
    expect((await client.delete(`/api/invoices/${made['registered']}/`)).status).toBe(204);
    for await (const { fault } of checkLedger(testApp.context.db)) expect(fault).toBeNull();
  });

  test('a template keeps its decimals and unit until its quantity is changed', async () => {
    const path = `/api/invoices/template/${templateId}/`;
    const template = (await client.get(path)).body;
    const save = async (lines: object[]) =>
      client.put(`${path}update/`, { ...template, version: null, lines });
    expect((await save(template.lines)).status).toBe(400);
    const [hours, paper, trip] = template.lines;
    const answer = await save([
      { ...hours, invoiced_quantity: 8 },
      { ...trip, unit: null },
      line('Ny', 1, 25),
    ]);
    expect(answer.status).toBe(200);
    expect(counted(answer.body.lines)).toEqual([
      [8, 'HUR'],
      [2, 'EA'],
      [1, undefined],
    ]);
    expect(paper.invoiced_quantity).toBe(0.125);
  });

  test('a standing assignment still runs with its units', async () => {
    const path = `/api/invoices/recurring/${assignment.uuid}/`;
    const { invoice_lines: lines, ...rest } = (await client.get(path)).body;
    expect(counted(lines)[0]).toEqual([7.5, 'HUR']);
    const [hours, paper, trip] = lines;
    const saved = await client.put(path, {
      ...rest,
      invoice_lines: [{ ...hours, invoiced_quantity: 1 }, { ...paper, invoiced_quantity: 2 }, trip],
    });
    expect(saved.status).toBe(200);
    expect(counted(saved.body.invoice_lines)).toEqual([
      [1, 'HUR'],
      [2, 'KGM'],
      [2, 'EA'],
    ]);
  });
});
