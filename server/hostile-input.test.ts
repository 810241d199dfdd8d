import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';

import { startTestApp, type TestApp } from './testing/app.ts';
import type { TestClient } from './testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from './testing/factories.ts';
import { until } from './testing/until.ts';

/** What people type into a field to see what breaks. */
const TRICKS = {
  script: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  attribute: '" onmouseover="alert(1)" x="',
  template: '${7*7} {{7*7}} <%= 7*7 %> #{7*7}',
  formula: "=cmd|' /C calc'!A0",
  header: '"Kari" <alle@example.no>, %0d%0aBcc: alle@example.no =?utf-8?q?=0d=0aBcc:_x?=',
  path: '../../../etc/passwd',
  sql: "Robert'); DROP TABLE invoice; --",
  xml: ']]></cbc:Name><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;&amp;',
  typst: '#read("/etc/passwd") #eval("1") $x$ `raw` @ref <label> \\u{41}',
  percent: '%s%n%x%d {0} %00',
  rightToLeft: 'Kari \u202Egpj.exe\u202C Nordmann',
  zeroWidth: 'Ka\u200Bri\u200D\uFEFF Nordmann',
  combining: `Kari${'\u0301'.repeat(40)} Z\u0351\u036B\u0343`,
  emoji: '👩‍👩‍👧 🇳🇴 𝕳𝖊𝖎',
} as const;

/** What nobody can store, so it must be refused rather than break something later. */
const REFUSED = {
  newHeader: 'Kari\r\nBcc: alle@example.no',
  loneSurrogate: 'Kari \uD800 Nordmann',
  null: 'Kari\u0000Nordmann',
};

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

/** A registered and mailed invoice with the trick in every field that takes text. */
async function sendInvoiceWith(trick: string): Promise<{
  client: TestClient;
  uuid: string;
  number: number;
  address: string;
}> {
  const client = await testApp.login();
  await completeProfile(client, {
    company_name: trick,
    billing_address1: trick,
    billing_address2: trick,
    billing_city: trick,
  });
  const address = `kunde${++customers}@example.no`;
  const customer = await createCustomer(client, {
    name: trick,
    email: address,
    address1: trick,
    address2: trick,
    city: trick,
  });
  const uuid = await createDraft(client, customer, {
    delivery_type: 'EMAIL',
    reference: trick,
    invoice_lines: [line(trick, 100, 25)],
  });
  return { client, uuid, number: await register(client, uuid), address };
}
let customers = 0;

async function mailTo(address: string): Promise<{ mail: Email; raw: string }> {
  const found = await until(
    async () => {
      const files = await readdir(testApp.outbox).catch(() => []);
      for (const file of files.filter((name) => name.endsWith('.eml'))) {
        const raw = await readFile(join(testApp.outbox, file), 'latin1');
        if (raw.includes(address)) return raw;
      }
      return null;
    },
    (raw) => raw !== null,
    60_000,
  );
  const raw = found ?? '';
  return { mail: await PostalMime.parse(Buffer.from(raw, 'latin1')), raw };
}

async function textOfPdf(content: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-hostile-'));
  try {
    const file = join(folder, 'invoice.pdf');
    await writeFile(file, content);
    const { stdout, status } = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.each(Object.entries(TRICKS))('%s in every field', (_, trick) => {
  test('stays text in JSON, mail, XML and PDF', async () => {
    const { client, uuid, number, address } = await sendInvoiceWith(trick);

    const answer = await client.get(`/api/invoices/${uuid}/`);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const shown = (answer.body as { customer_name: string }).customer_name;
    expect(shown).toBe(trick);

    const { mail, raw } = await mailTo(address);
    expect(mail.to?.map((to) => to.address)).toEqual([address]);
    expect(mail.cc ?? []).toEqual([]);
    expect(mail.bcc ?? []).toEqual([]);
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(mail.html).not.toMatch(/<script|<img[^>]+onerror|" onmouseover="/i);
    for (const { filename } of mail.attachments)
      expect(filename).toMatch(/^Faktura-\d+\.(pdf|xml)$/);

    const xml = (await client.get(`/api/invoices/${uuid}/efaktura/`)).text;
    expect(xml).not.toContain('<!DOCTYPE');
    expect(xml).not.toContain('<script');
    // Well-formed, and no element that we did not write.
    const parsed = create(xml).end({ format: 'object' }) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(['Invoice']);

    const pdf = await testApp.app.http.inject({
      url: `/invoices/${uuid}/pdf/`,
      headers: { cookie: client.cookieHeader },
    });
    expect(pdf.statusCode).toBe(200);
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect(String(pdf.headers['content-disposition'])).toMatch(
      /^inline; filename="Faktura-\d+\.pdf"$/,
    );
    const text = await textOfPdf(pdf.rawPayload);
    expect(text).toContain(String(number));
    expect(text).not.toContain('root:');
  }, 180_000);

  test('is no instruction to the search', async () => {
    const client = await testApp.login();
    await completeProfile(client);
    await createCustomer(client, { name: trick });
    const query = encodeURIComponent(trick.slice(0, 100));
    for (const path of [
      '/api/customers/search/',
      '/api/customers/groups/search/',
      '/api/invoices/',
    ]) {
      expect((await client.get(`${path}?query=${query}`)).status).toBe(200);
    }
    expect((await client.get('/api/customers/')).body).toHaveLength(1);
  });
});

test.each(Object.entries(REFUSED))('%s is refused in every field', async (_, trick) => {
  const client = await testApp.login();
  const answers = [
    await client.post('/api/customers/create/', { name: trick }),
    await client.post('/api/customers/groups/create/', { group_name: trick, customers: [] }),
    await client.post('/api/users/update/', { company_name: trick }),
    await client.get(`/api/customers/search/?query=a%00b`),
  ];
  for (const answer of answers) {
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(/postgres|syntax|stack|node_modules/i);
  }
  expect(answers[0]?.status).toBe(400);
});
