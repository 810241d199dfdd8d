import type { Period } from '../../domain/overview/periods.ts';
import {
  statementFileName,
  type StatementDocument,
} from '../../domain/portal/statement-document.ts';
import { kidAgreementInForce } from '../company/profile.service.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { toBuyer } from '../customer/buyer.ts';
import type { CustomerRow } from '../customer/customer.repository.ts';
import { logoOf } from '../document/document-file.service.ts';
import { preview } from '../document/show-document.service.ts';
import type { StatementInput } from '../document/pdf/statement-page.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import { requireCustomer, statementOf } from './statement.service.ts';

export interface StatementFile {
  readonly fileName: string;
  readonly content: Uint8Array;
  readonly etag: string;
}

/** Which statement. */
export interface StatementName {
  readonly customer: CustomerRow;
  readonly period: Period;
}

/** The statement of a customer as it is printed now. @throws AppError profile_incomplete, unavailable */
export async function statementInput(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  { customer, period }: StatementName,
): Promise<StatementInput> {
  const issuer = await requireIssuer(db, companyId);
  const document: StatementDocument = {
    kind: 'STATEMENT',
    invoiceNumber: null,
    seller: issuer.seller,
    buyer: toBuyer(customer),
    bankAccountNumber: kidAgreementInForce(config, issuer)?.account ?? issuer.bankAccountNumber,
    statement: await statementOf(db, companyId, customer, period),
  };
  return { document, stamp: null, logo: await logoOf(db, companyId, issuer)() };
}

/**
 * The statement as a PDF for somebody who waits. It is kept nowhere.
 *
 * @param signal aborted when the caller no longer waits
 * @throws AppError profile_incomplete, unavailable, too_many_pdfs, pdf_not_printable
 */
export async function statementFile(
  context: Context,
  companyId: number,
  name: StatementName,
  signal: AbortSignal,
): Promise<StatementFile> {
  const input = await statementInput(context, companyId, name);
  const content = await preview(context, input, { owner: companyId, signal });
  const fileName = statementFileName(input.document.statement);
  return { fileName, content, etag: `"${hexOf(sha256(content))}"` };
}

/** The same of a customer of the caller's company. @throws AppError not_found and those of `statementFile` */
export async function showStatement(
  context: Context,
  { companyId }: Actor,
  { customerNumber, period }: { readonly customerNumber: number; readonly period: Period },
  signal: AbortSignal,
): Promise<StatementFile> {
  const customer = await requireCustomer(context.db, companyId, customerNumber);
  return statementFile(context, companyId, { customer, period }, signal);
}
