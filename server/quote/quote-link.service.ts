import { randomUUID } from 'node:crypto';

import { todayInOslo } from '../../domain/date.ts';
import { offerExpiresOn } from '../../domain/quote/quote.state.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { derivedLinkToken } from '../platform/http/shared-link.ts';
import * as repository from './quote-link.repository.ts';
import type { FoundLink, QuoteLinkRow } from './quote-link.repository.ts';

type Keeper = Pick<Context, 'config'>;

/** The token of a link: every mail gets the same, and only its hash is kept (QUO-30). */
function tokenOf({ config }: Keeper, uuid: string): string {
  return derivedLinkToken(config.secretKey, 'quote-link', uuid);
}

/** The address of a link. Null when another secret key made it: it is made anew when the quote is sent again. */
export function quoteUrlOf(
  keeper: Keeper,
  { uuid, tokenHash }: Pick<QuoteLinkRow, 'uuid' | 'tokenHash'>,
): string | null {
  const token = tokenOf(keeper, uuid);
  return sha256(token).equals(tokenHash) ? `${keeper.config.publicUrl}/tilbud/${token}/` : null;
}

/** The address of a quote's link, for its mails. */
export async function findQuoteUrl(
  keeper: Keeper & Pick<Context, 'db'>,
  name: Pick<QuoteLinkRow, 'companyId' | 'quoteId'>,
): Promise<string | null> {
  const link = await repository.findLinkOf(keeper.db, name);
  return link && quoteUrlOf(keeper, link);
}

/** Gives a quote its link when it is sent, unless it has one. The caller holds the quote (QUO-30). */
export async function keepQuoteLink(
  keeper: Keeper,
  trx: Trx,
  { companyId, quoteId }: Pick<QuoteLinkRow, 'companyId' | 'quoteId'>,
): Promise<void> {
  const link = await repository.findLinkOf(trx, { companyId, quoteId });
  if (link && quoteUrlOf(keeper, link) !== null) return;
  const uuid = randomUUID();
  const tokenHash = sha256(tokenOf(keeper, uuid));
  await repository.saveLink(trx, { companyId, quoteId, uuid, tokenHash });
}

/**
 * The link of a token. Every token is looked up by its hash, so that the time tells nothing about it.
 * @throws AppError not_found for a link that is wrong or ended
 */
export async function openLink({ db }: Pick<Context, 'db'>, token: string): Promise<FoundLink> {
  const link = await repository.findByToken(db, sha256(token));
  if (!link || !works(link)) throw new AppError('not_found');
  return link;
}

/** The link with this uuid; null when it works no more. */
export async function findLink(
  { db }: Pick<Context, 'db'>,
  name: Pick<QuoteLinkRow, 'companyId' | 'uuid'>,
): Promise<FoundLink | null> {
  const link = await repository.findByUuid(db, name);
  return link && works(link) ? link : null;
}

function works({ validUntil, answeredAt }: FoundLink): boolean {
  return offerExpiresOn(validUntil, answeredAt) >= todayInOslo();
}
