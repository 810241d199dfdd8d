import { failureReason } from '../../domain/delivery/mail-recipients.ts';
import {
  reasonsOf,
  type OtherFailure,
  type OtherFailures,
} from '../delivery/failure-notice.service.ts';
import { findQuoteDocumentById } from '../document/quote-document.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { findQuoteDelivery, NOT_SENT } from './quote-delivery.repository.ts';
import * as repository from './quote-failure.repository.ts';
import { requireQuoteById } from './quote.repository.ts';

/** Mails of quotes and order confirmations that failed, for the mail that tells a company of failures (QUO-15). */
export const QUOTE_FAILURES: OtherFailures = {
  findCompanies: repository.findCompaniesToTell,
  take: repository.takeUnreported,
  describe: async (db, companyId, ids) => {
    const described = ids.map(async (id) => describe(db, companyId, id));
    return (await Promise.all(described)).filter((failure) => failure !== null);
  },
};

async function describe(db: Db, companyId: number, id: number): Promise<OtherFailure | null> {
  const row = await findQuoteDelivery(db, companyId, id);
  if (!row) return null;
  const { document, quoteId } = await findQuoteDocumentById(db, companyId, row.documentId);
  const { uuid } = await requireQuoteById(db, companyId, quoteId);
  const failed = row.recipients.filter(({ status }) => status === 'FAILED');
  const isPartly = failed.length < row.recipients.length;
  return {
    kind: document.kind,
    number: document.quoteNumber ?? 0,
    customerName: document.buyer.name,
    path: `/quotes/${uuid}/`,
    isPartly,
    reason: isPartly
      ? reasonsOf(failed.map(({ address, reason }) => ({ address, reason: reason ?? NOT_SENT })))
      : (failureReason(failed) ?? NOT_SENT),
  };
}
