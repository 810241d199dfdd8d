import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { canChange, deletableStatus } from '../../../domain/invoice/invoice.status.ts';
import { paths } from '../../paths.ts';
import { DeleteButton } from '../../ui/DeleteButton.tsx';
import { useDeleteInvoice } from '../invoice.mutations.ts';
import styles from './DeleteInvoice.module.css';

/** A draft is deleted, a registered invoice credited; a paid one must be set to not paid first. */
export function DeleteInvoice({ invoice }: { invoice: Invoice }) {
  const remove = useDeleteInvoice(invoice.uuid);
  if (!canChange(invoice)) return null;
  const status = deletableStatus(invoice);
  return (
    <div className={styles.delete}>
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
            {asked === 'DRAFT'
              ? 'Utkastet slettes for godt. Det har ikke fått noe nummer.'
              : `Faktura ${invoice.invoiceNumber} er registrert og kan etter loven ikke slettes. Den blir kansellert, og det lages en kreditnota med neste nummer i serien.`}
          </div>
        )}
      </DeleteButton>
      {status ? null : (
        <p id="paid-note" className={styles.note}>
          En betalt faktura kan ikke slettes. Sett den til «Ikke betalt» først.
        </p>
      )}
    </div>
  );
}
