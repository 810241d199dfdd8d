import { isDeepStrictEqual } from 'node:util';

import { sql } from 'kysely';

import {
  accountsOf,
  DEFAULT_ACCOUNTS,
  type ExportAccounts,
  type ExportSettings,
} from '../../domain/export/export-settings.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** The settings of a company; the defaults until others are saved. */
export async function readExportSettings(db: Db, companyId: number): Promise<ExportSettings> {
  const row = await db
    .selectFrom('exportSettings')
    .select(['customerOffset', 'accountantEmail', sql<string>`accounts::text`.as('accounts')])
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return {
    accounts: accountsOf(row ? (JSON.parse(row.accounts) as Partial<ExportAccounts>) : null),
    customerOffset: row?.customerOffset ?? 0,
    accountantEmail: row?.accountantEmail ?? null,
  };
}

/** Replaces the settings of a company. Defaults are not stored, so that a company follows them when they change. */
export async function writeExportSettings(
  trx: Trx,
  companyId: number,
  { accounts, customerOffset, accountantEmail }: ExportSettings,
): Promise<void> {
  const own = differences(accounts, DEFAULT_ACCOUNTS);
  if (Object.keys(own).length === 0 && customerOffset === 0 && accountantEmail === null) {
    await trx.deleteFrom('exportSettings').where('companyId', '=', companyId).execute();
    return;
  }
  const values = { accounts: JSON.stringify(own), customerOffset, accountantEmail };
  await trx
    .insertInto('exportSettings')
    .values({ companyId, ...values })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(values))
    .execute();
}

/** The properties that differ from those of `usual`, also within objects. */
function differences(own: object, usual: object): object {
  const entries = Object.entries(own) as [string, unknown][];
  return Object.fromEntries(
    entries
      .map(([key, value]): [string, unknown, unknown] => [key, value, usual[key as keyof object]])
      .filter(([, value, other]) => !isDeepStrictEqual(value, other))
      .map(([key, value, other]) => [
        key,
        typeof value === 'object' && value !== null ? differences(value, other ?? {}) : value,
      ]),
  );
}
