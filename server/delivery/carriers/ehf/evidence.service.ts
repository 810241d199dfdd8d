import type { Context } from '../../../context.ts';
import { recordEvents, SYSTEM } from '../../../invoice/history.service.ts';
import type { Evidence } from './access-point.ts';
import { findDifferences } from './compare-documents.ts';
import { hasEvidence, insertEvidence } from './evidence.repository.ts';

export { countDifferent } from './evidence.repository.ts';

interface Sent {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly deliveryId: number;
  readonly recipient: string;
}

interface EvidenceSource {
  readonly fetch: () => Promise<Evidence | null>;
  readonly findOurs: () => Promise<string | null>;
}

/**
 * Keeps what an access point has as proof, once: what is kept is not fetched again. If it made the document anew, that is
 * compared with ours, and a difference is told in the log, in the metrics and in the invoice's history.
 *
 * @param fetch asks the access point for the proof
 * @param findOurs our own document
 */
export async function keepEvidence(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { companyId, invoiceId, deliveryId, recipient }: Sent,
  { fetch, findOurs }: EvidenceSource,
): Promise<void> {
  if (await hasEvidence(db, { companyId, deliveryId })) return;
  const proof = await fetch();
  if (!proof) return;
  const { messageId, receivedBy, transmitted } = proof;
  const ours = transmitted ? await findOurs() : null;
  const differences =
    transmitted && ours !== null ? findDifferences(ours, Buffer.from(transmitted).toString()) : [];
  await db.transaction().execute(async (trx) => {
    const evidence = { companyId, deliveryId, messageId, receivedBy, transmitted, differences };
    const isKept = await insertEvidence(trx, evidence);
    if (!isKept || differences.length === 0) return;
    const reason = `Aksesspunktet sendte noe annet enn det som er registrert: ${differences.join('; ')}`;
    const details = { deliveryType: 'EHF' as const, recipient, reason };
    await recordEvents(trx, SYSTEM, [{ companyId, invoiceId, kind: 'SENT', details }]);
  });
  if (differences.length > 0) {
    log.error({ companyId, deliveryId, differences }, 'the access point sent another document');
  }
}
