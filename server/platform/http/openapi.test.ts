import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { upload } from '../../testing/bank-files/bank-company.ts';
import { camtFile, ocrFile } from '../../testing/bank-files/payment-files.ts';
import { until } from '../../testing/until.ts';
import { EVERYTHING_ON } from '../../testing/process.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { seedCompany, type SeededCompany } from '../../testing/company.ts';
import { arbitraryOf, HOSTILE, type JsonSchema } from '../../testing/schema-arbitrary.ts';

/** Total number of calls. A long run: FUZZ_CALLS=10000 FUZZ_SEED=$RANDOM npx vitest run server/platform/http/openapi */
const CALLS = Number(process.env['FUZZ_CALLS'] ?? 400);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    name: string;
    in: 'path' | 'query';
    required: boolean;
    schema: JsonSchema;
  }[];
  readonly requestBody?: {
    content: Readonly<Record<string, { schema?: JsonSchema }>>;
  };
  readonly responses: Readonly<
    Record<string, { headers?: object; content?: Record<string, { schema: JsonSchema }> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

let testApp: TestApp;
let client: TestClient;
let company: SeededCompany;
let bankFile: string;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  testApp = await startTestApp({
    DISPATCH: 'staff',
    LOGIN_LIMIT_PER_IP: '1000000',
    ...EVERYTHING_ON,
  });
  client = await testApp.login();
  company = await seedCompany(client);
  const file = ocrFile([{ amount: 1 }], { account: '12341112344' });
  bankFile = ((await upload(client, file)).body as { uuid: string }).uuid;
  document = (await client.get('/api/openapi.json')).body as Document;
  ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
});
afterAll(async () => testApp.close());

// WIRE-20
describe('the description', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has every endpoint exactly once', () => {
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(described.toSorted()).toEqual(API_ENDPOINTS.map(({ id }) => id).toSorted());
  });

  test('names the cookie, the token and the version', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'faktur_session' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
    });
  });

  test('has a page to browse, which calls only this server', async () => {
    const { status, headers, text } = await testApp.visitor().get('/api/docs/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Faktur API</title>');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|\.io/);
    expect((await testApp.visitor().get('/api/docs/json')).body).toEqual(document);
  });

  test('says the formats and bounds of the input', () => {
    const bodyOf = (path: string, method = 'post') =>
      document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema;
    expect(bodyOf('/api/customers/create/')?.properties).toMatchObject({
      name: { type: 'string', minLength: 1, maxLength: 255 },
      customer_number: { anyOf: [{ type: 'integer', maximum: 9_999_999 }, { type: 'null' }] },
      email: { anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] },
      org_number: { anyOf: [{ minLength: 9, maxLength: 9 }, { type: 'null' }] },
    });
    expect(bodyOf('/api/customers/create/')?.required).toEqual(['name']);
    expect(bodyOf('/api/invoices/create/')?.properties).toMatchObject({
      issue_date: { type: 'string', format: 'date' },
      due_days: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
    });
    expect(bodyOf('/api/users/login/verify/')?.properties).toMatchObject({
      registration_token: { anyOf: [{ minLength: 6, maxLength: 6 }, { type: 'null' }] },
    });
  });
});

describe('random input', () => {
  // WIRE-3
  test.each(API_ENDPOINTS.map(({ id }) => id).filter((id) => id !== 'logout'))(
    'to %s gets the answers that are described, and changes nothing when it is refused',
    async (id) => {
      const [method, path, operation] = find(id);
      const expectAnswer = answerCheck(operation);
      const caller = operation.security.length === 0 ? () => testApp.visitor() : () => client;
      const changes = method !== 'get';
      let rows = await fingerprint();
      const expectUnchanged = async (by: unknown) =>
        expect({ by, rows: await fingerprint() }).toEqual({ by, rows });
      await fc.assert(
        fc.asyncProperty(requestOf(method, path, operation), async (request) => {
          const answer = await caller().send(request);
          expectAnswer(answer, request);
          if (answer.status >= 400 && changes) await expectUnchanged(request);
          if (answer.status < 400 && changes) rows = await fingerprint();
        }),
        { numRuns: Math.ceil(CALLS / API_ENDPOINTS.length), seed: SEED, endOnFailure: true },
      );
      await expectUnchanged(id);
    },
    600_000,
  );
});

function find(id: string): [method: string, path: string, operation: Operation] {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return [method, path, operation];
    }
  }
  throw new Error(`${id} is not described`);
}

interface Sent {
  readonly method: 'GET';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
}

/** A request to an operation: as described, nearly so, or completely different. */
function requestOf(method: string, path: string, operation: Operation): fc.Arbitrary<Sent> {
  const kinds = [0, 4, 30].map((mischief) => {
    const options = { components: document.components.schemas, known: knownValues(), mischief };
    const place = (where: 'path' | 'query') =>
      fc.record(
        Object.fromEntries(
          operation.parameters
            .filter((parameter) => parameter.in === where)
            .map(({ name, schema }) => [name, arbitraryOf(schema, options, name)]),
        ),
        ...(where === 'query' ? [{ requiredKeys: [] as never[] }] : []),
      );
    const { content } = operation.requestBody ?? {};
    const schema = content?.['application/json']?.schema;
    const [usual = 'application/json'] = Object.keys(content ?? {});
    return fc.record({
      params: place('path'),
      query: place('query'),
      payload: schema
        ? payloadOf(arbitraryOf(schema, options), mischief)
        : content
          ? bankFiles(mischief)
          : fc.constant(undefined),
      type:
        mischief > 10
          ? fc.constantFrom(usual, usual, 'application/json', 'text/plain', 'x')
          : fc.constant(usual),
    });
  });
  return fc.oneof(...kinds).map(({ params, query, payload, type }): Sent => {
    const request = {
      method: method.toUpperCase() as 'GET',
      url: urlOf(path, params, query),
      headers: { 'content-type': type },
    };
    return payload === undefined ? request : Object.assign(request, { payload });
  });
}

/** A bank file, or nearly one. */
function bankFiles(mischief: number): fc.Arbitrary<string> {
  const payments = fc.array(fc.record({ amount: fc.integer({ min: -999, max: 9999 }) }), {
    maxLength: 5,
  });
  const file = fc
    .tuple(payments, fc.nat(99), fc.boolean())
    .map(([entries, transmission, isOcr]) =>
      isOcr
        ? ocrFile(entries, { transmission, account: '12341112344' })
        : camtFile(entries, { account: '12341112344' }),
    );
  if (mischief < 10) return file;
  return fc.oneof(
    file.map((text) => text.slice(0, text.length / 2)),
    fc.string({ maxLength: 200 }),
  );
}

function payloadOf(body: fc.Arbitrary<unknown>, mischief: number): fc.Arbitrary<string> {
  const text = body.map((value) => JSON.stringify(value) ?? '');
  if (mischief < 10) return text;
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: HOSTILE.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: text.map((json) => json.slice(0, json.length / 2)) },
    { weight: 1, arbitrary: fc.constantFrom('1'.repeat(10_000), '['.repeat(5000), '{"a":1e999}') },
  );
}

function urlOf(path: string, params: object, query: object): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encode((params as Record<string, unknown>)[name]).slice(0, 4000),
  );
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encode(value).slice(0, 4000)}`,
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** In a URL every value is text; a lone surrogate cannot be sent. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E') || '%20';
}

function knownValues(): Record<string, fc.Arbitrary<unknown>> {
  const customers = fc.constantFrom(...company.customerNumbers);
  const invoices = fc.constantFrom(
    company.draft,
    company.registered,
    company.paid,
    company.cancelled,
    company.creditNote,
  );
  const named = fc.oneof(invoices, fc.integer({ min: 1, max: 6 }));
  const lists = fc.array(customers, { maxLength: 3 });
  const template = fc.constant(company.templateId);
  const group = fc.constant(company.groupUuid);
  return {
    customer_numbers: lists,
    customers: lists,
    // An explicit number would soon be the highest possible one.
    customer_number: fc.oneof(customers, fc.constant(null), fc.integer({ min: 1, max: 9999 })),
    group_uuid: fc.oneof(group, fc.constant(null)),
    template_id: fc.oneof(template, fc.constant(null)),
    invoice_template_pk: template,
    invoice_uuid: invoices,
    invoice_str: named,
    file_uuid: fc.constant(bankFile),
    pk: named,
    start_invoice_number: fc.constantFrom(null, 1),
    delivery_type: fc.constantFrom('NONE', 'EMAIL', 'EHF'),
    invoiced_quantity: fc
      .integer({ min: 1, max: 100_000 })
      .map((thousandths) => thousandths / 1000),
    unit: fc.constantFrom('EA', 'HUR', 'MTK'),
    bank_account_number: fc.constantFrom('12341112344', '1234.11.12345', '12345678903'),
  };
}

/** The compiled schemas by their JSON; several endpoints answer with the same ones. */
const checks = new Map<string, ValidateFunction>();

/** The references of a schema point to the document's components, so these are included. */
function checkOf(schema: JsonSchema): ValidateFunction {
  return checks.getOrInsertComputed(JSON.stringify(schema), () =>
    ajv.compile({ allOf: [schema], components: document.components }),
  );
}

/** Checks status, media type, headers and body against the description. */
function answerCheck(operation: Operation) {
  return (answer: Answer, request: Sent): void => {
    const described = operation.responses[answer.status];
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
    const schema = described?.content?.['application/json']?.schema;
    const check = schema && checkOf(schema);
    const isRight =
      answer.status < 500 &&
      described !== undefined &&
      (described.content ? type in described.content : answer.text === '') &&
      Object.keys(described.headers ?? {}).every((name) => name.toLowerCase() in answer.headers) &&
      (check?.(answer.body) ?? true);
    // Compares the reason, so that a failure shows it.
    expect(isRight ? '' : why(request, answer, check)).toBe('');
  };
}

function why(request: Sent, answer: Answer, check: ValidateFunction | undefined): string {
  const faults = ajv.errorsText(check?.errors);
  return `${JSON.stringify(request).slice(0, 2000)} → ${answer.status} ${answer.text.slice(0, 500)} ${faults}`;
}

/** All rows of all companies as one hash, to detect any change. */
async function fingerprint(): Promise<string> {
  // Jobs started by a call need a moment.
  await until(
    async () => countQueued(),
    (queued) => queued === 0,
  );
  const tables = [
    'account',
    'bank_account',
    'bank_entry',
    'bank_file',
    'company',
    'customer',
    'customer_group',
    'customer_group_member',
    'delivery',
    'invoice',
    'invoice_line',
    'invoice_template',
    'invoice_template_line',
    'payment',
    'product',
  ];
  const sums = tables.map(
    (table) => sql`SELECT sum(hashtextextended(t::text, 0)) AS part FROM ${sql.table(table)} t`,
  );
  const { rows } = await sql<{ sum: string }>`
    SELECT string_agg(coalesce(part::text, ''), ',') AS sum FROM (${sql.join(sums, sql` UNION ALL `)}) parts
  `.execute(testApp.context.db);
  return rows[0]?.sum ?? '';
}

async function countQueued(): Promise<number> {
  const rows = await testApp.context.db
    .selectFrom('delivery')
    .select('id')
    .where('status', '=', 'QUEUED')
    .execute();
  return rows.length;
}
