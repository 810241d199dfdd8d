import { bareKid } from '../../../domain/kid.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  type MatchedInvoice,
  findByBareKids,
  findByNumbers,
  findOpenOfCustomers,
} from '../../invoice/invoice.service.ts';
import { findPayers } from '../payer-account.service.ts';
import { namedKids, namedNumbers, type Candidates, type Incoming } from './match/match.ts';

/**
 * Finds the invoices that these payments may be for, with one statement per matching rule, whatever the number of
 * payments.
 */
export async function findCandidates(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates> {
  const byKid = await findByKid(db, companyId, payments);
  const others = payments.filter(
    ({ kids }) => kids.length === 0 || !kids.every(({ kid }) => byKid.has(bareKid(kid))),
  );
  return {
    byKid,
    byNumber: await findByNumber(db, companyId, others),
    byPayer: await findByPayer(db, companyId, others),
  };
}

async function findByKid(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byKid']> {
  const kids = new Set(payments.flatMap(namedKids));
  const found = kids.size === 0 ? [] : await findByBareKids(db, companyId, [...kids]);
  return Map.groupBy(found, ({ kid }) => bareKid(kid));
}

async function findByNumber(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byNumber']> {
  const numbers = new Set(payments.flatMap(namedNumbers));
  const found = numbers.size === 0 ? [] : await findByNumbers(db, companyId, [...numbers]);
  return new Map(found.map((invoice) => [invoice.invoiceNumber, invoice]));
}

async function findByPayer(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byPayer']> {
  const hashes = new Set(
    payments.map(({ payerHash }) => payerHash).filter((hash) => hash !== null),
  );
  const payers = hashes.size === 0 ? [] : await findPayers(db, companyId, [...hashes]);
  if (payers.length === 0) return new Map();
  const customerIds = [...new Set(payers.map(({ customerId }) => customerId))];
  const open = Map.groupBy(
    await findOpenOfCustomers(db, companyId, customerIds),
    ({ customerId }) => customerId,
  );
  const ofPayers = Map.groupBy(payers, ({ hash }) => hash);
  return new Map(
    [...ofPayers].map(([hash, customers]): [string, (readonly MatchedInvoice[])[]] => [
      hash,
      customers.map(({ customerId }) => open.get(customerId) ?? []),
    ]),
  );
}
