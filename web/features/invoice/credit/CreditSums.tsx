import type { CreditTrial } from '../../../../domain/invoice/credit.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { hasStatus, reasonsOf } from '../../../lib/api-error.ts';
import { showKroner } from '../../../lib/kroner.ts';
import { Alert, LoadFailure } from '../../../ui/Alert.tsx';
import { SumList } from '../../../ui/SumList.tsx';
import { Skeleton } from '../../../ui/Surface.tsx';
import type { Preview } from '../../../ui/usePreview.ts';
import { consequenceOf } from './credit-form.ts';
import styles from './CreditDialog.module.css';

interface CreditSumsProps {
  readonly invoice: Invoice;
  readonly plan: Preview<CreditTrial>;
  /** The error of the last try to credit. */
  readonly refused: Error | null;
}

/** The sums to credit, the rest of the invoice, and the customer's debt or credit after it. */
export function CreditSums({ invoice, plan, refused }: CreditSumsProps) {
  const { shown: preview, isSettled, isAsking, refusal, retry } = plan;
  return (
    <div className={`box stack gap-4 ${styles.sums}`} aria-live="polite" aria-busy={isAsking}>
      <Refused error={refused} />
      {refusal === undefined ? null : (
        <Alert tone="warning" title="Det kan ikke krediteres slik">
          {refusal}
        </Alert>
      )}
      {retry ? <LoadFailure onRetry={retry} /> : null}
      {preview ? (
        <div className="stack gap-4 preview" data-old={!isSettled || undefined}>
          <SumList
            sums={[
              { label: 'Uten mva.', amount: formatKroner(preview.credited.net) },
              { label: 'Mva.', amount: formatKroner(preview.credited.vat) },
              { label: 'Krediteres', amount: showKroner(preview.credited.gross), isTotal: true },
              { label: 'Igjen på fakturaen', amount: showKroner(preview.left.gross) },
            ]}
          />
          <p>{consequenceText(invoice, preview.left.gross)}</p>
        </div>
      ) : isAsking ? (
        <Skeleton height="180px" />
      ) : refusal === undefined && !retry ? (
        <p className="soft">Summen står her når det er fylt ut hva som krediteres.</p>
      ) : null}
    </div>
  );
}

/** Explains why nothing was credited: mostly somebody else has credited some of it meanwhile. */
function Refused({ error }: { error: Error | null }) {
  if (!hasStatus(error, 409)) return null;
  return (
    <Alert tone="warning" title="Ingenting ble kreditert">
      {reasonsOf(error)}. Fakturaen er endret i mellomtiden, så se hva som er igjen.
    </Alert>
  );
}

function consequenceText(invoice: Invoice, left: number): string {
  const { customerName, currentCustomerNumber, paidAmount } = invoice;
  const { kind, amount } = consequenceOf(paidAmount, left);
  const kroner = showKroner(amount);
  if (kind === 'pays') return `${customerName} skal da betale ${kroner}.`;
  if (kind === 'settled') return 'Da er fakturaen betalt.';
  if (kind === 'nothing') return `${customerName} skal ikke betale noe.`;
  return currentCustomerNumber === null
    ? `${kroner} er betalt for mye, og blir stående under Innbetalinger.`
    : `${kroner} blir stående til gode hos ${customerName}.`;
}
