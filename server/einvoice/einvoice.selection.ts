import { sql, type RawBuilder } from 'kysely';

import type { EInvoiceVerdict } from '../../domain/einvoice/einvoice-duty.ts';

/**
 * The verdict about a document with duty that a statement calls `invoice` (`verdictOf`); null without duty. Uses no
 * EXISTS: PostgreSQL may turn it into a table of every company's deliveries.
 */
export const VERDICT: RawBuilder<EInvoiceVerdict | null> = sql`CASE
  WHEN invoice.einvoice_reason IS DISTINCT FROM 'BUSINESS' OR invoice.status = 'DRAFT' THEN NULL
  WHEN (
    SELECT true FROM delivery
    WHERE company_id = invoice.company_id AND invoice_id = invoice.id AND delivery_type = 'EHF'
      AND status <> 'FAILED'
    LIMIT 1) THEN 'EHF'
  ELSE COALESCE((
    SELECT CASE outcome WHEN 'REACHABLE' THEN 'OTHER_WAY' ELSE 'RECIPIENT_CANNOT' END
    FROM einvoice_evidence
    WHERE company_id = invoice.company_id AND invoice_id = invoice.id
      AND outcome IN ('REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED')
    ORDER BY id LIMIT 1), 'NO_ANSWER') END`;

/** Whether a document that a statement calls `invoice` was stopped before it was sent: 'Ikke sendt: …'. */
const WAS_STOPPED = sql<boolean>`COALESCE((
  SELECT bool_or(stopped_by IS NOT NULL AND NOT may_have_arrived) AND bool_and(status = 'FAILED')
  FROM delivery
  WHERE company_id = invoice.company_id AND invoice_id = invoice.id AND reminder_principal IS NULL), false)`;

/** Whether a document that a statement calls `invoice` has duty and one of these verdicts, and was not stopped. */
export function hasVerdict(verdicts: readonly EInvoiceVerdict[]): RawBuilder<boolean> {
  // The first condition is the one of the index.
  return sql`invoice.einvoice_reason = 'BUSINESS'
    AND ${VERDICT} = ANY(${[...verdicts]}::text[]) AND NOT ${WAS_STOPPED}`;
}
