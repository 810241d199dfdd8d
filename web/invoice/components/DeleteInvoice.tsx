import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../paths.ts';
import { DeleteButton } from '../../ui/DeleteButton.tsx';
import { useDeleteInvoice, type DeletableStatus } from '../invoice.mutations.ts';
import styles from './DeleteInvoice.module.css';

/** A draft is deleted, a registered invoice credited; a paid one must be set to not paid first. */
export function DeleteInvoice({ invoice }: { invoice: Invoice }) {
  const remove = useDeleteInvoice(invoice.uuid);
  if (invoice.kind === 'CREDIT_NOTE' || invoice.status === 'CANCELLED') return null;
  const isPaid = invoice.status === 'PAID';
  return (
    <div className={styles.delete}>
      <DeleteButton
        label="Slett faktura"
        title="Slett faktura"
        remove={remove}
        value={deletableStatus(invoice)}
        to={paths.invoices}
        noteId={isPaid ? 'paid-note' : undefined}
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
      {isPaid ? (
        <p id="paid-note" className={styles.note}>
          En betalt faktura kan ikke slettes. Sett den til «Ikke betalt» først.
        </p>
      ) : null}
    </div>
  );
}

function deletableStatus({ status }: Invoice): DeletableStatus | undefined {
  return status === 'DRAFT' || status === 'REGISTERED' ? status : undefined;
}
