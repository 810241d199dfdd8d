import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import {
  canChange,
  deletableStatus,
  invoiceDeletionNeeds,
} from '../../../../domain/invoice/invoice.status.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { paths } from '../../../lib/paths.ts';
import { useCan, useFeature } from '../../session/session.api.ts';
import { DeleteButton } from '../../../forms/DeleteButton.tsx';
import { isPartCredited } from '../overdue.ts';
import { useDeleteInvoice } from '../invoice.api.ts';

/**
 * Deletes a draft, or credits a registered invoice. A paid invoice must be set to not paid first, unless payments
 * are turned on: then the paid amount becomes customer credit.
 */
export function DeleteInvoice({ invoice }: { invoice: Invoice }) {
  const payments = useFeature('payments');
  const remove = useDeleteInvoice(invoice.uuid);
  const canDelete = useCan(invoiceDeletionNeeds(invoice));
  const { customerName } = invoice;
  const gross = `${formatKroner(invoice.grossAmount)} kr`;
  if (!canDelete || !canChange(invoice)) return null;
  const status = deletableStatus(invoice, { payments });
  return (
    <div className="row">
      <DeleteButton
        label="Slett faktura"
        title="Slett faktura"
        remove={remove}
        value={status}
        to={paths.invoices}
        noteId={status ? undefined : 'paid-note'}
      >
        {(asked, isChanged) => (
          <div aria-live="polite">
            {isChanged ? <p>Fakturaen er endret i mellomtiden.</p> : null}
            {asked === 'DRAFT' ? (
              <p>
                Utkastet slettes for godt: {customerName}, {gross}. Det har ikke fått noe nummer.
              </p>
            ) : (
              <p>
                Faktura {invoice.invoiceNumber} til {customerName}, {gross}, er registrert og kan
                etter loven ikke slettes. Den blir kansellert, og det lages en kreditnota
                {isPartCredited(invoice) ? ' på det som er igjen,' : ''} med neste nummer i serien.
              </p>
            )}
            {payments && invoice.paidAmount > 0 ? <BecomesCredit invoice={invoice} /> : null}
          </div>
        )}
      </DeleteButton>
      {status ? null : (
        <p id="paid-note" className="note">
          En betalt faktura kan ikke slettes. Sett den til «Ikke betalt» først.
        </p>
      )}
    </div>
  );
}

function BecomesCredit({
  invoice: { customerName, currentCustomerNumber, paidAmount },
}: {
  invoice: Invoice;
}) {
  const paid = <strong>{formatKroner(paidAmount)} kr</strong>;
  if (currentCustomerNumber === null) {
    return (
      <p>Det som er betalt, {paid}, blir stående under Innbetalinger, ikke koblet til faktura.</p>
    );
  }
  return (
    <p>
      Det som er betalt, {paid}, får {customerName} til gode. Det kan brukes på en annen faktura
      eller betales tilbake.
    </p>
  );
}
