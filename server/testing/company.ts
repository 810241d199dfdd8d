import { CompiledQuery, sql } from 'kysely';

import { PERMISSIONS } from '../../domain/permission.ts';
import type { Actor } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import type { TestClient } from './client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  register,
} from './factories.ts';

/** A company with data of every kind, with the ids and numbers that the API uses. */
export interface SeededCompany {
  readonly customerNumbers: readonly number[];
  readonly groupUuid: string;
  readonly templateId: number;
  readonly draft: string;
  readonly registered: string;
  readonly paid: string;
  readonly cancelled: string;
  readonly creditNote: string;
}

/** Adds data of every kind to the company of a logged-in client. */
export async function seedCompany(client: TestClient): Promise<SeededCompany> {
  await completeProfile(client);
  const buyer = await createCustomer(client);
  const other = await createCustomer(client, { name: 'Nordavind', email: null });
  const groupUuid = await createGroup(client, [buyer, other]);
  const templateId = await createTemplate(client);
  const registered = await createDraft(client, buyer);
  const paid = await createDraft(client, buyer, { delivery_type: 'EMAIL' });
  const cancelled = await createDraft(client, buyer);
  for (const uuid of [registered, paid, cancelled]) await register(client, uuid);
  await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
  await client.delete(`/api/invoices/${cancelled}/`);
  const answer = await client.get(`/api/invoices/${cancelled}/`);
  const { credit_note: creditNote } = answer.body as { credit_note: { uuid: string } };
  return {
    customerNumbers: [buyer, other],
    groupUuid,
    templateId,
    draft: await createDraft(client, other),
    registered,
    paid,
    cancelled,
    creditNote: creditNote.uuid,
  };
}

/** Tables that belong to no company. */
const SHARED = new Set([
  'closed_books',
  'deleted_object',
  'late_payment_rate',
  'login_challenge',
  'mail_refusal',
  'migration',
  'newsletter_subscriber',
  'passkey_challenge',
  'peppol_event',
  'rate_limit',
  'suppressed_address',
  'webhook_switch',
]);

/** The condition that selects a company's rows of a table. */
const OWNED_BY: Readonly<Record<string, string>> = {
  company: 'id = $1',
  account: 'id = (SELECT account_id FROM company WHERE id = $1)',
  idempotency_key: 'account_id = (SELECT account_id FROM company WHERE id = $1)',
  session: 'account_id = (SELECT account_id FROM company WHERE id = $1)',
  passkey: 'account_id = (SELECT account_id FROM company WHERE id = $1)',
  known_browser: 'account_id = (SELECT account_id FROM company WHERE id = $1)',
};

/**
 * Every row of a company in every table, as text for comparison. Delivery runs in the background, so only its own
 * tests check its changes.
 * @throws Error for a new table that has no company and is not listed here
 */
export async function dumpCompany(db: Db, companyId: number): Promise<Record<string, string[]>> {
  const statement = dumps.get(db) ?? (await statementOfDump(db));
  dumps.set(db, statement);
  const { tables, text } = statement;
  const { rows } = await db.executeQuery<{ name: string; row: string }>(
    CompiledQuery.raw(text, [companyId]),
  );
  const dump: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]));
  for (const { name, row } of rows) dump[name]?.push(row);
  return dump;
}

interface Dump {
  readonly tables: readonly string[];
  readonly text: string;
}

/** The statement of each database: it is long, and some tests dump a company for each endpoint. */
const dumps = new WeakMap<Db, Dump>();

async function statementOfDump(db: Db): Promise<Dump> {
  const tables = (await listTables(db)).filter(({ name }) => !SHARED.has(name));
  const rowsOf = tables.map(({ name, hasCompany }) => {
    const condition = OWNED_BY[name] ?? (hasCompany ? 'company_id = $1' : undefined);
    if (condition === undefined) throw new Error(`Whose are the rows of ${name}?`);
    return `SELECT '${name}' AS name, to_jsonb(t)::text AS row FROM "${name}" t WHERE ${condition}`;
  });
  return {
    tables: tables.map(({ name }) => name),
    text: `${rowsOf.join(' UNION ALL ')} ORDER BY 1, 2`,
  };
}

async function listTables(db: Db): Promise<{ name: string; hasCompany: boolean }[]> {
  // Not from information_schema, whose views are slow.
  const { rows } = await sql<{ name: string; hasCompany: boolean }>`
    SELECT relname AS name, EXISTS (
      SELECT FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attname = 'company_id' AND NOT attisdropped
    ) AS has_company
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    ORDER BY 1`.execute(db);
  return rows;
}

/** The owner of a company as the caller of a service. */
export function ownerOf(companyId: number, email: string): Actor {
  const company = {
    companyId,
    companyUuid: '',
    accessChanges: 0,
    isClosed: false,
    role: 'OWNER',
    permissions: PERMISSIONS,
  } as const;
  return {
    accountId: 0,
    email,
    sessionId: null,
    provedUntil: null,
    tokenId: null,
    tokenName: null,
    tokenScopes: null,
    isStaff: false,
    ...company,
  };
}

/** The id of the company of an account, by e-mail address. */
export async function companyIdOf(db: Db, email: string): Promise<number> {
  const row = await db
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select('company.id')
    .where('account.email', '=', email)
    .executeTakeFirstOrThrow();
  return row.id;
}
