import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { PdfNotPrintable } from './pdf/renderer.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, line } from '../testing/factories.ts';

const LINES = Array.from({ length: 525 }, () => line('قهوة محمصة طازجة للمكتب', 149.5, 25, 2));

let testApp: TestApp;
let port: number;
const log: string[] = [];
interface Draft {
  readonly client: TestClient;
  readonly uuid: string;
}
let heavy: Draft[];
let small: Draft;

async function makeDrafts(count: number, changes: object) {
  const client = await testApp.login();
  await completeProfile(client);
  const customer = await createCustomer(client);
  return Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      client,
      uuid: await createDraft(client, customer, { reference: `Bestilling ${at}`, ...changes }),
    })),
  );
}

beforeAll(async () => {
  testApp = await startTestApp(
    { LOG_LEVEL: 'error' },
    { logStream: { write: (entry) => void log.push(entry) } },
  );
  heavy = await makeDrafts(12, { invoice_lines: LINES });
  [small] = (await makeDrafts(1, {})) as [Draft];
  port = await testApp.app.listen();
});
afterAll(async () => testApp.close());

async function open({ client, uuid }: Draft, accept = '*/*', signal?: AbortSignal) {
  return fetch(`http://127.0.0.1:${port}/invoices/${uuid}/pdf/`, {
    headers: { cookie: client.cookieHeader, accept, 'accept-language': 'nb' },
    ...(signal && { signal }),
  });
}

describe('previews', () => {
  // DOC-13
  test('of one company hold nobody else up, and are bounded', async () => {
    await open(small);
    const done: string[] = [];
    const asked = heavy.map(async (draft) => {
      const response = await open(draft);
      if (response.status === 200) done.push('heavy');
      return response;
    });
    await vi.waitUntil(() => done.length > 0, { timeout: 240_000 });
    expect((await open(small)).status).toBe(200);
    // One was under way, and one may have had its turn.
    expect(done.length).toBeLessThanOrEqual(4);
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(await refused[0]?.json()).toEqual({
      detail: [{ message: expect.stringContaining('for mange PDF-er') }],
    });
    expect(done).toHaveLength(10);
  });

  // DOC-13
  test('are not printed for who has hung up', async () => {
    const preview = vi.spyOn(testApp.context.pdf, 'preview');
    const gone = new AbortController();
    const asked = heavy.slice(2).map(async (draft) => open(draft, '*/*', gone.signal));
    await vi.waitUntil(() => preview.mock.calls.length === 10, { timeout: 240_000 });
    gone.abort();
    await Promise.allSettled(asked);
    const outcomes = await Promise.allSettled(preview.mock.results.map(({ value }) => value));
    const printed = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(printed.length).toBeLessThanOrEqual(1);
    // Nor is that a fault of ours.
    expect(log).toEqual([]);
    expect((await open(small)).status).toBe(200);
  });

  test('of the same draft share readings', async () => {
    const preview = vi.spyOn(testApp.context.pdf, 'preview');
    preview.mockClear();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => open(small)));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(preview.mock.calls.length).toBeLessThan(20);
    await Promise.all(answers.map(async (answer) => answer.arrayBuffer()));
  });

  // INV-45
  test('of what is typed are those of the draft that it would make, and make nothing', async () => {
    const client = await testApp.login();
    const body = (customers: readonly number[], group_uuid: string | null = null) => ({
      customer_numbers: customers,
      group_uuid,
      delivery_type: 'NONE',
      due_days: 14,
      issue_date: '2026-11-29',
      invoice_lines: [line('Klipp', 400, 25, 2)],
    });
    const draw = async (content: object) =>
      fetch(`http://127.0.0.1:${port}/api/invoices/preview/`, {
        method: 'POST',
        headers: { cookie: client.cookieHeader, 'content-type': 'application/json' },
        body: JSON.stringify(content),
      });
    expect((await draw(body([1]))).status).toBe(409);
    await completeProfile(client);
    const [first, second] = [await createCustomer(client), await createCustomer(client)];
    const group = await client.post('/api/customers/groups/create/', {
      group_name: 'Begge',
      customers: [first, second],
    });
    const shown = await draw(body([first, second]));
    expect(shown.headers.get('content-type')).toBe('application/pdf');
    const pdf = Buffer.from(await shown.arrayBuffer());
    expect((await draw(body([], group.body.uuid))).status).toBe(200);
    const wrong = await draw(body([99_999]));
    expect(wrong.status).toBe(400);
    expect((await draw({ ...body([first]), invoice_lines: [] })).status).toBe(400);
    expect((await client.get('/api/invoices/')).body).toMatchObject({ count: 0, results: [] });
    const [draft] = (await client.post('/api/invoices/create/', body([first]))).body;
    const saved = await open({ client, uuid: draft.uuid });
    expect(pdf.equals(Buffer.from(await saved.arrayBuffer()))).toBe(true);
  });

  test('that cannot be printed say so, to a person in a tab as to a program', async () => {
    vi.spyOn(testApp.context.pdf, 'preview').mockRejectedValue(new PdfNotPrintable('glyph'));
    const forProgram = await open(small);
    expect(forProgram.status).toBe(503);
    expect(forProgram.headers.get('retry-after')).toBe('60');
    expect(await forProgram.json()).toEqual({
      detail: [{ message: expect.stringContaining('PDF-en kan ikke lages akkurat nå.') }],
    });
    const forTab = await open(small, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect(forTab.status).toBe(503);
    expect(forTab.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await forTab.text()).toContain('<p>PDF-en kan ikke lages akkurat nå.');
  });
});
