import { randomUUID } from 'node:crypto';

import { todayInOslo } from '../../domain/date.ts';
import type { InvoiceLink } from '../../domain/portal/portal.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import { sha256 } from '../platform/crypto.ts';
import { derivedLinkToken } from '../platform/http/shared-link.ts';
import * as repository from './invoice-link.repository.ts';
import type { LinkRow, OpenLink } from './invoice-link.repository.ts';

type Keeper = Pick<Context, 'config' | 'db'>;

/** The token of a link: every mail gets the same, and only its hash is kept (PORT-2). */
function tokenOf({ config }: Keeper, uuid: string): string {
  return derivedLinkToken(config.secretKey, 'invoice-link', uuid);
}

/**
 * The address that a mail about an invoice, its credit note or its reminder has (PORT-1). Null while the company has no
 * pages, and when the link has ended.
 */
export async function findLinkUrl(
  context: Keeper,
  { companyId, invoiceId }: { readonly companyId: number; readonly invoiceId: number },
): Promise<string | null> {
  if (!context.config.features.has('portal')) return null;
  const found = await repository.getLink(context.db, companyId, invoiceId);
  const { isOn, expiresOn } = found;
  if (!isOn || (expiresOn !== null && expiresOn < todayInOslo())) return null;
  return (await withLink(context, companyId, found)).url;
}

/** The link of an invoice. @throws AppError not_found, draft_has_no_link, link_of_credit_note, portal_off */
export async function getLink(
  context: Keeper,
  { companyId }: Actor,
  invoiceUuid: string,
): Promise<InvoiceLink> {
  return withLink(context, companyId, await requireLink(context, companyId, invoiceUuid));
}

/** Replaces the link of an invoice; the old one ends at once. @throws AppError as `getLink` */
export async function renewLink(
  context: Keeper,
  { companyId }: Actor,
  invoiceUuid: string,
): Promise<InvoiceLink> {
  const found = await requireLink(context, companyId, invoiceUuid);
  return makeLink(context, companyId, found, true);
}

async function requireLink(
  { db }: Keeper,
  companyId: number,
  invoiceUuid: string,
): Promise<LinkRow> {
  const { id, status, kind } = await requireInvoice(db, companyId, invoiceUuid);
  if (status === 'DRAFT') throw new AppError('draft_has_no_link');
  if (kind === 'CREDIT_NOTE') throw new AppError('link_of_credit_note');
  const found = await repository.getLink(db, companyId, id);
  if (!found.isOn) throw new AppError('portal_off');
  return found;
}

/** Makes the link when it is first needed, and anew when another secret key made it. */
async function withLink(context: Keeper, companyId: number, found: LinkRow): Promise<InvoiceLink> {
  const { uuid, tokenHash } = found;
  if (uuid === null || tokenHash === null) return makeLink(context, companyId, found, false);
  const fits = sha256(tokenOf(context, uuid)).equals(tokenHash);
  return fits ? present(context, found, uuid) : makeLink(context, companyId, found, true);
}

/** Another call may have made one meanwhile, which is then the link. */
async function makeLink(
  context: Keeper,
  companyId: number,
  { invoiceId, uuid: replaces }: LinkRow,
  isRenewed: boolean,
): Promise<InvoiceLink> {
  const uuid = randomUUID();
  const tokenHash = sha256(tokenOf(context, uuid));
  const made = { companyId, invoiceId, uuid, tokenHash, replaces, isRenewed };
  await repository.saveLink(context.db, made);
  const found = await repository.getLink(context.db, companyId, invoiceId);
  return present(context, found, found.uuid ?? uuid);
}

function present(context: Keeper, { expiresOn, renewedAt }: LinkRow, uuid: string): InvoiceLink {
  return {
    url: `${context.config.publicUrl}/kunde/${tokenOf(context, uuid)}/`,
    expiresOn,
    renewedAt: renewedAt?.toISOString() ?? null,
  };
}

/**
 * The link of a token. Every token is looked up by its hash, so that the time tells nothing about it.
 * @throws AppError not_found for a link that is wrong, ended or renewed, and of a company without pages
 */
export async function openLink({ db }: Pick<Context, 'db'>, token: string): Promise<OpenLink> {
  const link = await repository.findByToken(db, sha256(token), todayInOslo());
  if (!link) throw new AppError('not_found');
  return link;
}
