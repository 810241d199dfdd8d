import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { Database } from '../platform/db/database.ts';
import { EXCEPTIONS } from './company-exceptions.ts';
import { hasBareExists, unrestrictedTables, type PlanNode } from './company-of-plan.ts';
import { openMigratedDatabase } from './database.ts';
import { ROOT } from './process.ts';

let database: Database;

beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(async () => database.close());

async function judge(statement: string): Promise<string[]> {
  const { rows } = await sql
    .raw<object>(`EXPLAIN (VERBOSE, FORMAT JSON) ${statement}`)
    .execute(database.db);
  const [{ Plan: plan }] = Object.values(rows[0] ?? {})[0] as [{ Plan: PlanNode }];
  return unrestrictedTables(plan, new Set(inject('companyTables')));
}

describe('a bitmap of several indexes', () => {
  const scan = (condition: string): PlanNode => ({
    'Node Type': 'Bitmap Heap Scan',
    'Relation Name': 'bank_entry',
    Schema: 'public',
    Alias: 'e',
    'Recheck Cond': condition,
  });
  const tables = new Set(['bank_entry']);

  test('restricts the company when each index does', () => {
    const both =
      '(((e.company_id = 1) AND (e.kid = $0)) OR ((e.company_id = 1) AND (e.line_sum = 2)))';
    expect(unrestrictedTables(scan(both), tables)).toEqual([]);
    const one = '(((e.company_id = 1) AND (e.kid = $0)) OR (e.line_sum = 2))';
    expect(unrestrictedTables(scan(one), tables)).toEqual(['bank_entry']);
  });
});

describe('a statement restricts the company', () => {
  test.each([
    ['by a value', 'SELECT id FROM invoice WHERE company_id = 1 AND id = 2'],
    [
      'by a value that no index is used for',
      'SELECT id FROM invoice WHERE company_id IS NOT DISTINCT FROM 1 AND id = 2',
    ],
    ['by several values', "SELECT id FROM invoice WHERE company_id = ANY('{1,2}'::bigint[])"],
    ['of the company itself', 'SELECT company_name FROM company WHERE id = 1'],
    [
      'by a table beside it',
      'SELECT i.id FROM company c JOIN invoice i ON i.company_id = c.id WHERE c.id = 1',
    ],
    [
      'through three tables',
      `SELECT l.id FROM invoice_line l, invoice i, customer c
      WHERE l.company_id = i.company_id AND c.company_id = i.company_id AND c.company_id = 1`,
    ],
    [
      'in an outer join',
      `SELECT c.id FROM invoice i LEFT JOIN customer c
      ON c.company_id = i.company_id AND c.id = i.customer_id WHERE i.company_id = 1`,
    ],
    [
      'in a subquery',
      `SELECT (SELECT count(*) FROM delivery d WHERE d.company_id = i.company_id)
      FROM invoice i WHERE i.company_id = 1`,
    ],
    [
      'by what a subquery returns',
      `DELETE FROM invoice WHERE (company_id, id) IN
      (SELECT company_id, invoice_id FROM delivery WHERE company_id = 1)`,
    ],
    [
      'through a lateral query',
      `SELECT l.id FROM invoice i CROSS JOIN LATERAL (SELECT l.id FROM invoice_line l
      WHERE l.company_id = i.company_id LIMIT 1) l WHERE i.company_id = 1`,
    ],
    [
      'through a WITH',
      `WITH given AS MATERIALIZED (SELECT 1::bigint AS company_id)
      UPDATE invoice SET message = 'x' FROM given WHERE invoice.company_id = given.company_id`,
    ],
    [
      'in both parts of a UNION',
      `SELECT id FROM invoice WHERE company_id = 1
      UNION SELECT id FROM delivery WHERE company_id = 1`,
    ],
    [
      'of a DELETE',
      `DELETE FROM invoice_line l USING invoice i
      WHERE l.company_id = i.company_id AND i.company_id = 1`,
    ],
    ['or reads no table of companies', "SELECT id FROM account WHERE email = 'x'"],
  ])('%s', async (_, statement) => {
    expect(await judge(statement)).toEqual([]);
  });
});

test.each([
  ['SELECT EXISTS (SELECT FROM delivery WHERE company_id = invoice.company_id) FROM invoice', true],
  ['SELECT EXISTS (SELECT FROM delivery d WHERE (d.id = i.id)) FROM invoice i', true],
  [
    'SELECT EXISTS (SELECT FROM delivery d WHERE d.company_id = $1 AND d.id = i.id) FROM invoice i',
    false,
  ],
  [
    "DELETE FROM invoice WHERE NOT EXISTS (SELECT FROM delivery WHERE company_id = ANY('{1}'))",
    false,
  ],
  ['SELECT EXISTS (SELECT FROM account) FROM invoice WHERE company_id = 1', false],
])('an EXISTS restricts the company by itself: %s', (statement, isBare) => {
  expect(hasBareExists(statement, /\b(?:delivery|invoice)\b/)).toBe(isBare);
});

describe('a statement does not restrict the company', () => {
  test.each([
    ['by a row alone', 'SELECT id FROM delivery WHERE id = 1', ['delivery']],
    ['by a comparison', 'SELECT id FROM delivery WHERE company_id > 1', ['delivery']],
    ['by another column', 'SELECT id FROM company WHERE account_id = 1', ['company']],
    ['with OR', 'SELECT id FROM delivery WHERE company_id = 1 OR id = 2', ['delivery']],
    [
      'by another value',
      'SELECT id FROM delivery WHERE company_id IS DISTINCT FROM 1',
      ['delivery'],
    ],
    ['with NOT', 'SELECT id FROM delivery WHERE NOT (company_id = 1)', ['delivery']],
    [
      'by tables that no value restricts',
      'SELECT d.id FROM invoice i JOIN delivery d ON d.company_id = i.company_id',
      ['delivery', 'invoice'],
    ],
    [
      'in a join by id',
      `SELECT l.id FROM invoice i JOIN invoice_line l ON l.invoice_id = i.id
      WHERE i.company_id = 1`,
      ['invoice_line'],
    ],
    [
      'on the side that an outer join does not restrict',
      `SELECT i.id, c.id FROM invoice i LEFT JOIN customer c
      ON c.company_id = i.company_id AND c.company_id = 1`,
      ['invoice'],
    ],
    [
      'in a subquery by id',
      `SELECT (SELECT count(*) FROM delivery d WHERE d.invoice_id = i.id)
      FROM invoice i WHERE i.company_id = 1`,
      ['delivery'],
    ],
    [
      'though a subquery does',
      `SELECT i.id FROM invoice i WHERE NOT EXISTS (SELECT FROM delivery d
      WHERE d.company_id = i.company_id AND d.company_id = 1)`,
      ['invoice'],
    ],
    [
      'by ids of its company',
      `UPDATE delivery SET attempts = 1 WHERE id IN
      (SELECT id FROM delivery WHERE company_id = 1)`,
      ['delivery'],
    ],
    [
      'in one part of a UNION',
      'SELECT id FROM invoice WHERE company_id = 1 UNION SELECT id FROM delivery',
      ['delivery'],
    ],
    [
      'in a WITH',
      'WITH old AS MATERIALIZED (SELECT id FROM invoice) SELECT FROM old WHERE id = 1',
      ['invoice'],
    ],
    ['of an UPDATE', 'UPDATE customer SET company_id = 1 WHERE id = 2', ['customer']],
  ])('%s', async (_, statement, unrestricted) => {
    expect(await judge(statement)).toEqual(unrestricted);
  });
});

test('a statement of the product that restricts no company is a fault of its file', async () => {
  const { faults } = (
    globalThis as unknown as { fakturCompanyCheck: { faults: Map<string, string> } }
  ).fakturCompanyCheck;
  const reader = compileFunction(
    'return (async () => await statement.execute(db))()',
    ['statement', 'db'],
    { filename: join(ROOT, 'server/invoice/reader.ts') },
  ) as (statement: unknown, db: unknown) => Promise<void>;
  await reader(sql`SELECT id FROM invoice WHERE gross_amount > 5`, database.db);
  const found = [...faults.keys()];
  faults.clear();
  expect(found).toEqual([
    expect.stringMatching(/^server\/invoice\/reader.ts.*no company for invoice/),
  ]);
});

test('functions of the database restrict every company table to a company', async () => {
  const { rows } = await sql<{ name: string; body: string }>`
    SELECT proname AS name, prosrc AS body FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosrc <> ''
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  `.execute(database.db);
  expect(rows.length).toBeGreaterThan(20);
  const tables = inject('companyTables').filter((table) => table !== 'company');
  const used = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:${tables.join('|')})\\b`, 'g');
  const wrong = rows
    .filter(({ name }) => name !== 'keep_invoices')
    .filter(({ body }) => {
      const named = body.match(/company_id/g)?.length ?? 0;
      return named < (body.match(used)?.length ?? 0);
    });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('every exception is a place that exists', () => {
  const gone = Object.keys(EXCEPTIONS).filter((place) => {
    const [file = '', name] = place.split(' ');
    const path = join(ROOT, file);
    if (!existsSync(path)) return true;
    const text = readFileSync(path, 'utf8');
    return name !== undefined && !new RegExp(`\\b(?:function|const) ${name}\\b`).test(text);
  });
  expect(gone).toEqual([]);
});
