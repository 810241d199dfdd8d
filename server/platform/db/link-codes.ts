import { sql } from 'kysely';

import type { Db, Trx } from './database.ts';

/** A link whose row has a code: its company, and its uuid there. */
export interface CodedLink {
  readonly companyId: number;
  readonly uuid: string;
}

/** The code on a link's row: the last one that was mailed, while it can be used. */
export interface LinkCodes {
  /** Replaces the code. */
  store(db: Db, link: CodedLink, code: { hash: Uint8Array; seconds: number }): Promise<void>;
  /** Locks a code that may still be tried, so that two tries at once count as two. */
  lock(trx: Trx, link: CodedLink, attempts: number): Promise<Uint8Array | null>;
  /** Uses up the code, or counts a wrong one. */
  close(trx: Trx, link: CodedLink, isRight: boolean): Promise<void>;
}

/** The codes in a table of links, which has the columns `code_hash`, `code_expires_at` and `wrong_codes`. */
export function codesIn(table: 'overview_link' | 'invoice_link' | 'quote_link'): LinkCodes {
  const name = sql.table(table);
  const isIt = ({ companyId, uuid }: CodedLink) =>
    sql`company_id = ${companyId} AND uuid = ${uuid}`;
  return {
    async store(db, link, { hash, seconds }) {
      await sql`
        UPDATE ${name} SET code_hash = ${hash}, wrong_codes = 0,
          code_expires_at = now() + make_interval(secs => ${seconds})
        WHERE ${isIt(link)}`.execute(db);
    },
    async lock(trx, link, attempts) {
      const { rows } = await sql<{ codeHash: Uint8Array }>`
        SELECT code_hash FROM ${name}
        WHERE ${isIt(link)} AND wrong_codes < ${attempts} AND code_expires_at > now()
        FOR UPDATE`.execute(trx);
      return rows[0]?.codeHash ?? null;
    },
    async close(trx, link, isRight) {
      const change = isRight
        ? sql`code_hash = NULL, code_expires_at = NULL`
        : sql`wrong_codes = wrong_codes + 1`;
      await sql`UPDATE ${name} SET ${change} WHERE ${isIt(link)}`.execute(trx);
    },
  };
}
