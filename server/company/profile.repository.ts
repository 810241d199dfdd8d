import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';

import type { Seller } from '../../domain/parties.ts';
import type { KidAgreement, KidAgreementForm } from '../../domain/profile/kid-agreement.schema.ts';
import type { ProfileForm } from '../../domain/profile/profile.schema.ts';
import { AppError } from '../errors.ts';
import { isStill } from '../platform/db/columns.ts';
import { compiledOnce } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { requestContext } from '../platform/log/log.ts';

const COLUMNS = [
  'id',
  'uuid',
  'companyName',
  'orgNumber',
  'vatRegistered',
  'foretaksregisteret',
  'email',
  'billingAddress1',
  'billingAddress2',
  'billingPostalCode',
  'billingCity',
  'defaultMessage',
  'defaultQuoteTerms',
  'defaultVatTreatment',
  'startInvoiceNumber',
  'hasCreatedInvoice',
  'lastInvoiceNumber',
  'lastDocumentHash',
  'accessChanges',
  'closedAt',
  'version',
] as const;

/** The columns of a company that the profile and the number series need. */
type CompanyRow = Row<'company', (typeof COLUMNS)[number]>;

export type BankAccountRow = Row<'bankAccount', 'bankAccountNumber' | 'isPrimary'>;

/** Makes the company of a new account, with the account's address as its own. */
export async function insertCompany(trx: Trx, accountId: number, email: string): Promise<string> {
  const { uuid } = await trx
    .insertInto('company')
    .values({ accountId, email })
    .returning('uuid')
    .executeTakeFirstOrThrow();
  return uuid;
}

/** A company with its accounts, in their order, and what it has agreed on with its bank. */
export interface WholeCompany extends CompanyRow {
  readonly bankAccounts: readonly BankAccountRow[];
  readonly kidAgreement: KidAgreement | null;
  /** SHA-256 of the logo that new documents get, in hex. */
  readonly logo: string | null;
}

export async function findCompany(db: Db, companyId: number): Promise<WholeCompany> {
  const [company] = await readCompany(db, companyId);
  if (!company) throw new Error(`Company ${companyId} is not there`);
  await judgeCaller(db, company);
  return company;
}

const readCompany = compiledOnce((db, companyId: number) =>
  db
    .selectFrom('company')
    .select(COLUMNS)
    .select((company) => [
      jsonArrayFrom(
        company
          .selectFrom('bankAccount')
          .select(['bankAccountNumber', 'isPrimary'])
          .whereRef('bankAccount.companyId', '=', 'company.id')
          .orderBy('position'),
      ).as('bankAccounts'),
      jsonObjectFrom(
        company
          .selectFrom('kidAgreement')
          .select(KID_AGREEMENT)
          .whereRef('kidAgreement.companyId', '=', 'company.id'),
      ).as('kidAgreement'),
      company
        .selectFrom('companyLogo')
        .select(sql<string>`encode(sha256, 'hex')`.as('hex'))
        .whereRef('companyLogo.companyId', '=', 'company.id')
        .where('isCurrent', '=', true)
        .as('logo'),
    ])
    .where('id', '=', companyId),
);

declare module '../platform/log/log.ts' {
  interface Call {
    /** Judges the caller again when the count of its company has changed; absent in calls that only read. */
    access?: {
      readonly companyId: number;
      changes: number;
      /** The transaction that was judged last. */
      judgedIn?: Db;
      judge(db: Db): Promise<void>;
    };
  }
}

/**
 * Locks the company until the transaction ends: its profile, its number series and its drafts change
 * one at a time. A caller whose access was changed before the lock was there is judged again (MEM-19). Work that no call
 * waits for changes nothing of a closed company (CLO-3).
 *
 * @throws AppError no_company, not_permitted, company_closed
 */
export async function lockCompany(trx: Trx, companyId: number): Promise<void> {
  const [company] = await readLocked(trx, companyId);
  if (!company) throw new Error(`Company ${companyId} is not there`);
  const isJudged = requestContext.getStore()?.call?.access?.companyId === companyId;
  if (company.closedAt !== null && !isJudged) throw new AppError('company_closed');
  await judgeCaller(trx, company);
}

/** Judges the caller of a change again, when access to the company was changed since the caller was identified. */
async function judgeCaller(
  db: Db,
  { id, accessChanges }: Pick<CompanyRow, 'id' | 'accessChanges'>,
): Promise<void> {
  const access = requestContext.getStore()?.call?.access;
  if (access?.companyId !== id) return;
  if (access.changes !== accessChanges) await access.judge(db);
  access.judgedIn = db;
}

/**
 * Judges the caller of a change again before a transaction commits that has neither locked nor read the company (MEM-19).
 * @throws AppError no_company, not_permitted
 */
export async function judgeBeforeCommit(trx: Trx): Promise<void> {
  const access = requestContext.getStore()?.call?.access;
  if (!access || access.judgedIn === trx) return;
  const [company] = await readAccess(trx, access.companyId);
  if (company) await judgeCaller(trx, company);
}

const readAccess = compiledOnce((db, companyId: number) =>
  db.selectFrom('company').select(['id', 'accessChanges']).where('id', '=', companyId),
);

const readLocked = compiledOnce((db, companyId: number) =>
  db
    .selectFrom('company')
    .select(['id', 'accessChanges', 'closedAt'])
    .where('id', '=', companyId)
    .forNoKeyUpdate(),
);

/** The values of a complete profile that an invoice needs. */
export interface Issuer {
  readonly companyId: number;
  readonly seller: Seller;
  /** The primary account's eleven digits. */
  readonly bankAccountNumber: string;
  /** The one that is stored; `kidAgreementInForce` says whether it is followed. */
  readonly kidAgreement: KidAgreement | null;
  /** The message on invoices that have none of their own. */
  readonly defaultMessage: string | null;
  /** The terms of quotes that have none of their own. */
  readonly defaultQuoteTerms: string | null;
  /** SHA-256 of the logo that new documents get, in hex. */
  readonly logo: string | null;
  readonly startInvoiceNumber: number;
  /** Whether the start number is fixed, because there has been an invoice. */
  readonly hasCreatedInvoice: boolean;
  readonly lastInvoiceNumber: number | null;
  /** The end of the chain of documents, which the database keeps. */
  readonly lastDocumentHash: Uint8Array | null;
}

/** The seller as it is now; null while its profile is incomplete. */
export async function findIssuer(db: Db, companyId: number): Promise<Issuer | null> {
  return toIssuer(await findCompany(db, companyId));
}

/** The seller as it is now. @throws AppError profile_incomplete */
export async function requireIssuer(db: Db, companyId: number): Promise<Issuer> {
  const issuer = await findIssuer(db, companyId);
  if (!issuer) throw new AppError('profile_incomplete');
  return issuer;
}

/**
 * The seller. Locks its profile and its number series until the transaction ends.
 * @throws AppError profile_incomplete
 */
export async function lockIssuer(trx: Trx, companyId: number): Promise<Issuer> {
  await lockCompany(trx, companyId);
  // A statement that waited for a lock reads other tables as they were before it waited: read them again.
  return requireIssuer(trx, companyId);
}

/** The company as an issuer; null while its profile is incomplete. */
export function toIssuer(company: WholeCompany): Issuer | null {
  const account = company.bankAccounts.find(({ isPrimary }) => isPrimary);
  const { companyName: name, orgNumber, email, vatRegistered, foretaksregisteret } = company;
  const { billingAddress1: address1, billingPostalCode: postalCode, billingCity: city } = company;
  if (!account || !name || !orgNumber || !email || !address1 || !postalCode || !city) return null;
  if (vatRegistered === null || foretaksregisteret === null) return null;
  const address = { address1, address2: company.billingAddress2, postalCode, city };
  return {
    companyId: company.id,
    seller: { name, orgNumber, email, vatRegistered, foretaksregisteret, ...address },
    bankAccountNumber: account.bankAccountNumber,
    kidAgreement: company.kidAgreement,
    defaultMessage: company.defaultMessage,
    defaultQuoteTerms: company.defaultQuoteTerms,
    logo: company.logo,
    startInvoiceNumber: company.startInvoiceNumber,
    hasCreatedInvoice: company.hasCreatedInvoice,
    lastInvoiceNumber: company.lastInvoiceNumber,
    lastDocumentHash: company.lastDocumentHash,
  };
}

/** The fields that a form may omit to keep their values. */
type Kept = 'startInvoiceNumber' | 'defaultMessage' | 'defaultQuoteTerms' | 'defaultVatTreatment';

/** Saves the profile; false when it has a newer version than the caller has read. */
export async function saveCompany(
  trx: Trx,
  companyId: number,
  form: Omit<ProfileForm, 'bankAccounts' | Kept> & Row<'company', Kept>,
): Promise<boolean> {
  const result = await trx
    .updateTable('company')
    .set({
      companyName: form.companyName,
      orgNumber: form.orgNumber,
      vatRegistered: form.vatRegistered,
      foretaksregisteret: form.foretaksregisteret,
      email: form.email,
      billingAddress1: form.billingAddress1,
      billingAddress2: form.billingAddress2,
      billingPostalCode: form.billingPostalCode,
      billingCity: form.billingCity,
      startInvoiceNumber: form.startInvoiceNumber,
      defaultMessage: form.defaultMessage,
      defaultQuoteTerms: form.defaultQuoteTerms,
      defaultVatTreatment: form.defaultVatTreatment,
    })
    .where('id', '=', companyId)
    .where(isStill(form.version))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function replaceBankAccounts(
  trx: Trx,
  companyId: number,
  accounts: readonly BankAccountRow[],
): Promise<void> {
  await trx.deleteFrom('bankAccount').where('companyId', '=', companyId).execute();
  await trx
    .insertInto('bankAccount')
    .values(accounts.map((account, position) => ({ companyId, position, ...account })))
    .execute();
}

/** Fixes the start number: an invoice exists now. */
export async function noteInvoiceCreated(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('company')
    .set({ hasCreatedInvoice: true })
    .where('id', '=', companyId)
    .where('hasCreatedInvoice', '=', false)
    .execute();
}

/** Advances the number series. The caller has locked the company. */
export const advanceSeries = compiledOnce((trx, companyId: number, lastInvoiceNumber: number) =>
  trx.updateTable('company').set({ lastInvoiceNumber }).where('id', '=', companyId),
);

/** Raises the highest customer number to at least this one, chosen by hand: the next automatic one follows it. */
export async function raiseCustomerNumber(
  trx: Trx,
  companyId: number,
  number: number,
): Promise<void> {
  await trx
    .updateTable('company')
    .set({ lastCustomerNumber: number })
    .where('id', '=', companyId)
    .where('lastCustomerNumber', '<', number)
    .execute();
}

/**
 * Takes up to so many customer numbers after the highest so far, as many as there are up to `highest`. Two callers never
 * get the same; the company stays locked.
 */
export async function takeCustomerNumbers(
  trx: Trx,
  companyId: number,
  { many, highest }: { readonly many: number; readonly highest: number },
): Promise<number[]> {
  const { lastCustomerNumber: last } = await trx
    .selectFrom('company')
    .select('lastCustomerNumber')
    .where('id', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const taken = Math.max(0, Math.min(many, highest - last));
  await raiseCustomerNumber(trx, companyId, last + taken);
  return Array.from({ length: taken }, (_, index) => last + 1 + index);
}

const KID_AGREEMENT = ['account', 'length', 'modulus', 'version'] as const;

/** Changes the agreement; null when there is none, or it has a newer version than the caller has read. */
export async function updateKidAgreement(
  trx: Trx,
  companyId: number,
  { account, length, modulus, version }: KidAgreementForm,
): Promise<KidAgreement | null> {
  const row = await trx
    .updateTable('kidAgreement')
    .set({ account, length, modulus })
    .where('companyId', '=', companyId)
    .where(isStill(version))
    .returning(KID_AGREEMENT)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertKidAgreement(
  trx: Trx,
  companyId: number,
  { account, length, modulus }: KidAgreementForm,
): Promise<KidAgreement> {
  return trx
    .insertInto('kidAgreement')
    .values({ companyId, account, length, modulus })
    .returning(KID_AGREEMENT)
    .executeTakeFirstOrThrow();
}

export async function deleteKidAgreement(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('kidAgreement').where('companyId', '=', companyId).execute();
}

/** Whether any company has this organisation number. */
export async function hasCompanyOf(db: Db, orgNumber: string): Promise<boolean> {
  const row = await db
    .selectFrom('company')
    .select('id')
    .where('orgNumber', '=', orgNumber)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
