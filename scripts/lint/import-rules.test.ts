import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { TABLE_OWNERS } from './table-owners.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
let project: string;
let problems: { file: string; rule: string; message: string }[];

/** A project that breaks each rule once; its files named `good` break none. */
const FILES: Record<string, string> = {
  'domain/money.ts': 'export const one = 1;',
  'domain/invoice/invoice.schema.ts': "export { z as schema } from 'zod/mini';",
  'domain/invoice/good.ts': "import { one } from '../money.ts'; export const two = one + 1;",
  'domain/imports-server.ts': "import { config } from '../server/config.ts'; export { config };",
  'domain/imports-server-type.ts':
    "export type Config = typeof import('../server/config.ts').config;",
  'domain/imports-package.ts': "import pg from 'pg'; export const client = pg;",
  'domain/imports-zod.ts': "import { z } from 'zod'; export const text = z.string();",
  'web/imports-zod.ts': "import { z } from 'zod'; export const text = z.string();",
  'domain/imports-node.ts': "import fs from 'node:fs'; export const read = fs;",
  'server/config.ts': 'export const config = 1;',
  'server/invoice/invoice.repository.ts':
    "export const read = (trx: any) => trx.selectFrom('invoiceLine as l').innerJoin('invoice', 'a', 'b');",
  'server/issuing/listed.repository.ts':
    "export const read = (trx: any) => trx.selectFrom('invoice as i').innerJoin('customer', 'a', 'b');",
  'server/issuing/listed.service.ts':
    "import { read } from './listed.repository.ts'; export const list = read;",
  'server/invoice/invoice.service.ts':
    "import { read } from './invoice.repository.ts'; export const list = read;",
  'server/invoice/invoice.routes.ts':
    "import { list } from './invoice.service.ts'; export const routes = list;",
  'server/invoice/routes-skip.routes.ts':
    "import { read } from './invoice.repository.ts'; export const routes = read;",
  'server/invoice/invoice.selection.ts':
    'export const part = (sql: any) => sql`SELECT id FROM invoice`;',
  'server/newsletter/part.repository.ts':
    "import { part } from '../invoice/invoice.selection.ts'; export const whole = part;",
  'server/newsletter/part.service.ts':
    "import { part } from '../invoice/invoice.selection.ts'; export const whole = part;",
  'server/newsletter/good.service.ts':
    "import { list } from '../invoice/invoice.service.ts'; export const sum = list;",
  'server/newsletter/good-repository.service.ts':
    "import { read } from '../invoice/invoice.repository.ts'; export const sum = read;",
  'server/newsletter/foreign.repository.ts':
    "import { read } from '../invoice/invoice.repository.ts'; export const sum = read;",
  'server/newsletter/foreign-lazy.repository.ts':
    "export const sum = () => import('../invoice/invoice.repository.ts');",
  'server/newsletter/foreign-reexport.repository.ts':
    "export { read } from '../invoice/../invoice/invoice.repository.ts';",
  'server/newsletter/foreign-routes.service.ts':
    "import { routes } from '../invoice/invoice.routes.ts'; export const sum = routes;",
  'server/newsletter/table.repository.ts':
    "export const peek = (trx: any) => trx.selectFrom('invoiceLine');",
  'server/newsletter/joined.repository.ts':
    "export const peek = (trx: any) => trx.selectFrom('newsletterSubscriber as c').innerJoin('invoice', 'a', 'b');",
  'server/newsletter/other-name.repository.ts':
    "export const peek = (trx: any) => trx.selectFrom(['newsletterSubscriber', 'bankAccount as b']);",
  'server/newsletter/query.service.ts':
    "export const peek = (trx: any) => trx.deleteFrom('newsletterSubscriber');",
  'server/newsletter/good.repository.ts':
    "export const read = (sql: any) => sql`WITH page AS (SELECT 'invoice') SELECT event.company_id FROM newsletter_subscriber event`;",
  'server/newsletter/raw.repository.ts':
    'export const read = (sql: any) => sql<number>`SELECT id FROM newsletter_subscriber, invoice_line WHERE id = ${1}`;',
  'server/newsletter/raw-reference.repository.ts':
    "export const read = (sql: any) => sql.ref('invoice.id');",
  'server/newsletter/raw.service.ts':
    'export const read = (sql: any) => sql`SELECT id FROM newsletter_subscriber`;',
  'server/newsletter/hidden.repository.ts':
    'export const clear = (trx: any, table: any) => trx.deleteFrom(table);',
  'server/newsletter/hidden-raw.repository.ts':
    'export const read = (sql: any, text: string) => sql.raw(text);',
  'server/invoice/written.repository.ts':
    'export const write = (sql: any) => sql`UPDATE customer SET name = (SELECT id FROM invoice)`;',
  'server/platform/limits/rate-limit.ts':
    "export const count = (db: any) => db.updateTable('rateLimit');",
  'server/platform/http/limit.ts': "export const count = (db: any) => db.updateTable('rateLimit');",
  'server/newsletter/upward.repository.ts':
    "import { sum } from './good.service.ts'; export const up = sum;",
  'server/imports-web.ts': "import { paths } from '../web/paths.ts'; export const all = paths;",
  'server/imports-testing.ts':
    "import { db } from './testing/database.ts'; export const real = db;",
  'server/testing/database.ts': 'export const db = 1;',
  'web/paths.ts': 'export const paths = 1;',
  'web/imports-server.ts':
    "import { config } from '../server/config.ts'; export const server = config;",
  'web/imports-node.ts': "import { join } from 'node:path'; export const joined = join;",
  'web/features/customer/CustomerCard.tsx': 'export const CustomerCard = () => null;',
  'web/features/customer/customer.queries.ts': 'export const customers = 1;',
  'web/features/invoice/good.tsx':
    "import { CustomerCard } from '../customer/CustomerCard.tsx'; export const B = CustomerCard;",
  'web/ui/good.ts': "import { one } from '../../domain/money.ts'; export const two = one;",
  'web/ui/concept.ts':
    "import { customers } from '../features/customer/customer.queries.ts'; export const D = customers;",
  'web/ui/domain-concept.ts':
    "import { schema } from '../../domain/invoice/invoice.schema.ts'; export const E = schema;",
  'web/barrel/index.ts': "export * from '../paths.ts';",
  'web/default.ts': 'export default 1;',
  'domain/api/circle.ts':
    "import { schema } from '../profile/profile.schema.ts'; export const A = schema;",
  'domain/profile/profile.schema.ts':
    "export { type B as schema } from '../session/session.schema.ts';",
  'domain/session/session.schema.ts':
    "export type B = string; export type C = import('../api/endpoint.ts').D;",
  'domain/api/endpoint.ts': 'export type D = 1;',
  'server/customer/circle.service.ts':
    "import { list } from '../issuing/listed.service.ts'; export const sum = list;",
  'server/errors.ts': "export { words } from './closing/words.ts';",
  'server/closing/words.ts': 'export const words = 1;',
  'server/closing/refusing.service.ts': "export { words } from '../errors.ts';",
  'server/platform/db/circle.ts':
    "import { open } from '../jobs/circle.ts'; export const E = open;",
  'server/platform/jobs/circle.ts':
    "import type { Known } from '../db/known.ts'; export const open = (known: Known) => known;",
  'server/platform/db/known.ts': "export type Known = typeof import('../jobs/good.ts').F;",
  'server/platform/jobs/good.ts': 'export const F = 1;',
  'web/features/profile/circle.ts':
    "import type { G } from '../session/circle.queries.ts'; export const H = (g: G) => g;",
  'web/features/session/circle.queries.ts':
    "import type { I } from '../profile/profile.queries.ts'; export type G = I;",
  'web/features/profile/profile.queries.ts': 'export type I = 1;',
  'web/type-circle-a.ts': "import type { L } from './type-circle-b.ts'; export type K = L | 1;",
  'web/type-circle-b.ts': "import type { K } from './type-circle-a.ts'; export type L = K[];",
  'server/later-circle-a.ts': "export const M = async () => import('./later-circle-b.ts');",
  'server/later-circle-b.ts':
    "import type { M } from './later-circle-a.ts'; export const N = (m: typeof M) => m;",
  'server/platform/db/migrations/0201-part.ts': 'export const part = 1;',
  'server/platform/db/migrations/0202-whole.ts':
    "import { part } from './0201-part.ts'; export const whole = part;",
  'server/platform/db/migrations/0203-today.ts':
    "import { one } from '../../../../domain/money.ts'; export const two = one;",
  'web/circle-a.ts': "import { b } from './circle-b.ts'; export const a = () => b;",
  'web/circle-b.ts': "import { a } from './circle-a.ts'; export const b = () => a;",
};

beforeAll(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-lint-'));
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  // The project's own configuration, without the rules that need a whole program to run.
  const config = JSON.parse(fs.readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as {
    options: { typeAware: boolean };
  };
  config.options.typeAware = false;
  write('.oxlintrc.json', JSON.stringify(config));
  fs.cpSync(path.join(root, 'scripts', 'lint'), path.join(project, 'scripts', 'lint'), {
    recursive: true,
  });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  problems = lint();
});

afterAll(() => {
  fs.rmSync(project, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  const file = path.join(project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${text}\n`);
}

function oxlint(...args: string[]) {
  const program = path.join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return spawnSync(process.execPath, [program, ...args], { cwd: project, encoding: 'utf8' });
}

function lint() {
  const report = JSON.parse(oxlint('--format=json', 'domain', 'server', 'web').stdout) as {
    diagnostics: { filename: string; code: string; message: string }[];
  };
  return report.diagnostics.map(({ filename, code, message }) => ({
    file: filename,
    rule: code,
    message,
  }));
}

function messagesFor(file: string): string[] {
  return problems
    .filter((problem) => problem.file === file && problem.rule.startsWith('architecture('))
    .map((problem) => problem.message);
}

test.each([
  ['domain/imports-server.ts', 'domain/ runs in browser and server'],
  ['domain/imports-server-type.ts', 'domain/ runs in browser and server'],
  ['domain/imports-package.ts', 'its only package is zod'],
  ['domain/imports-zod.ts', 'its only package is zod/mini'],
  ['web/imports-zod.ts', 'web/ imports zod/mini'],
  ['domain/imports-node.ts', 'its only package is zod'],
  ['server/newsletter/foreign.repository.ts', "A repository calls no other concept's"],
  ['server/newsletter/foreign-lazy.repository.ts', "A repository calls no other concept's"],
  ['server/newsletter/foreign-reexport.repository.ts', "A repository calls no other concept's"],
  ['server/newsletter/foreign-routes.service.ts', "Another concept's routes"],
  ['server/newsletter/table.repository.ts', 'invoiceLine belongs to server/invoice'],
  ['server/newsletter/joined.repository.ts', 'invoice belongs to server/invoice'],
  ['server/newsletter/other-name.repository.ts', 'bankAccount belongs to server/company'],
  ['server/newsletter/query.service.ts', 'Queries live in repositories'],
  ['server/newsletter/raw.repository.ts', 'invoiceLine belongs to server/invoice'],
  ['server/newsletter/raw-reference.repository.ts', 'invoice belongs to server/invoice'],
  ['server/newsletter/raw.service.ts', 'Queries live in repositories'],
  ['server/newsletter/hidden.repository.ts', 'Name the table'],
  ['server/newsletter/hidden-raw.repository.ts', 'write the SQL'],
  ['server/invoice/written.repository.ts', 'customer belongs to server/customer'],
  ['server/platform/http/limit.ts', 'rateLimit belongs to server/platform/limits'],
  ['server/newsletter/part.service.ts', 'only repositories put it into theirs'],
  ['server/newsletter/upward.repository.ts', 'Nothing flows back up'],
  ['server/invoice/routes-skip.routes.ts', 'Routes and jobs enter at the service'],
  ['server/platform/db/migrations/0202-whole.ts', 'A migration is frozen'],
  ['server/platform/db/migrations/0203-today.ts', 'A migration is frozen'],
  ['server/imports-web.ts', 'server/ never imports web/'],
  ['server/imports-testing.ts', 'server/testing/ is for tests alone'],
  ['web/imports-server.ts', 'web/ never imports server/'],
  ['web/imports-node.ts', 'there is no Node'],
  ['web/ui/concept.ts', 'know no concept'],
  ['web/ui/domain-concept.ts', 'know no concept'],
  [
    'domain/api/circle.ts',
    'domain/api → domain/profile → domain/session → domain/api. The way back: domain/profile/profile.schema.ts imports domain/session/session.schema.ts; domain/session/session.schema.ts imports domain/api/endpoint.ts.',
  ],
  ['domain/profile/profile.schema.ts', 'domain/profile → domain/session → domain/api →'],
  ['domain/session/session.schema.ts', 'domain/session → domain/api → domain/profile →'],
  ['server/customer/circle.service.ts', 'server/customer → server/issuing → server/customer.'],
  ['server/errors.ts', 'server/errors.ts → server/closing → server/errors.ts.'],
  ['server/customer/circle.service.ts', 'server/issuing reads the table customer'],
  [
    'server/platform/jobs/circle.ts',
    'server/platform/jobs → server/platform/db → server/platform/jobs.',
  ],
  [
    'server/later-circle-a.ts',
    'server/later-circle-a.ts → server/later-circle-b.ts → server/later-circle-a.ts.',
  ],
  [
    'web/features/profile/circle.ts',
    'web/features/profile → web/features/session → web/features/profile.',
  ],
])('%s fails', (file, message) => {
  expect(messagesFor(file)).toEqual([expect.stringContaining(message)]);
});

test.each(Object.keys(FILES).filter((name) => /\/good\.|invoice\.\w+\.ts$|rate-limit/.test(name)))(
  '%s passes',
  (file) => {
    expect(messagesFor(file)).toEqual([]);
  },
);

test.each([
  ['web/barrel/index.ts', 'oxc(no-barrel-file)'],
  ['web/default.ts', 'import(no-default-export)'],
  ['web/circle-a.ts', 'import(no-cycle)'],
  ['web/type-circle-a.ts', 'import(no-cycle)'],
])('%s fails', (file, rule) => {
  expect(problems.filter((problem) => problem.file === file).map((p) => p.rule)).toContain(rule);
});

test('a table without an owner is a type error', () => {
  const added = fs
    .readFileSync(path.join(root, 'server/platform/db/tables.ts'), 'utf8')
    .replace(/export interface Tables\b[^{]*\{/, (start) => `${start} shipment: { id: number };`);
  const program = path.join(root, 'node_modules', '.bin', 'tsc');
  const compile = () =>
    spawnSync(
      program,
      [
        '--noEmit',
        '--strict',
        '--allowImportingTsExtensions',
        '--skipLibCheck',
        '--module',
        'preserve',
        '--target',
        'es2025',
        'scripts/lint/table-owners.ts',
      ],
      { cwd: project, encoding: 'utf8' },
    );
  fs.cpSync(path.join(root, 'domain'), path.join(project, 'domain'), { recursive: true });
  for (const name of fs.readdirSync(path.join(root, 'server/platform/db'))) {
    if (!/^column-types|-tables\.ts$/.test(name)) continue;
    const text = fs.readFileSync(path.join(root, 'server/platform/db', name), 'utf8');
    write(`server/platform/db/${name}`, text);
  }
  write('server/platform/db/tables.ts', added);
  expect(compile().stdout).toContain("Property 'shipment' is missing");
});

test('the owner and the readers of each table exist', () => {
  const places = Object.values(TABLE_OWNERS).flatMap(({ owner, readBy }) =>
    [owner].concat(Object.keys(readBy ?? {})),
  );
  const missing = places.filter((place) => !fs.existsSync(path.join(root, 'server', place)));
  expect(missing).toEqual([]);
});

test('a forbidden import makes the command fail', () => {
  expect(oxlint('web/imports-server.ts').status).toBe(1);
  expect(oxlint('web/ui/good.ts').status).toBe(0);
});
