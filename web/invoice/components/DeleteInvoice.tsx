import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { useDeleteInvoice, type DeletableStatus } from '../invoice.mutations.ts';
import styles from './DeleteInvoice.module.css';

/** A draft is deleted, a registered invoice credited; a paid one must be set to not paid first. */
export function DeleteInvoice({ invoice }: { invoice: Invoice }) {
  if (invoice.kind === 'CREDIT_NOTE' || invoice.status === 'CANCELLED') return null;
  const isPaid = invoice.status === 'PAID';
  return (
    <div className={styles.delete}>
      <DeleteButton invoice={invoice} noteId={isPaid ? 'paid-note' : undefined} />
      {isPaid ? (
        <p id="paid-note" className={styles.note}>
          En betalt faktura kan ikke slettes. Sett den til «Ikke betalt» først.
        </p>
      ) : null}
    </div>
  );
}

interface DeleteButtonProps {
  readonly invoice: Invoice;
  /** Says why it cannot be deleted. */
  readonly noteId: string | undefined;
}

function DeleteButton({ invoice, noteId }: DeleteButtonProps) {
  const navigate = useNavigate();
  const remove = useDeleteInvoice();
  // The question as it was asked, which is what is then answered, whatever the invoice has become.
  const [asked, setAsked] = useState<DeletableStatus>();
  const current = deletableStatus(invoice);
  const isChanged = remove.isError && remove.variables.expect !== current;
  if (isChanged && asked === remove.variables.expect) setAsked(current);
  const open = () => {
    remove.reset();
    setAsked(current);
  };
  const confirm = (expect: DeletableStatus) =>
    remove.mutate(
      { uuid: invoice.uuid, expect },
      {
        onSuccess: () => {
          setAsked(undefined);
          void navigate(paths.invoices);
        },
      },
    );
  return (
    <>
      <Button
        variant="danger"
        icon={<TrashIcon />}
        disabled={!current}
        aria-describedby={noteId}
        onClick={open}
      >
        Slett faktura
      </Button>
      <ConfirmDialog
        title="Slett faktura"
        confirmLabel="Slett"
        open={asked !== undefined}
        pending={remove.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => (asked ? confirm(asked) : undefined)}
      >
        <div aria-live="polite">
          {isChanged ? <p>Fakturaen er endret i mellomtiden.</p> : null}
          {asked === 'DRAFT'
            ? 'Utkastet slettes for godt. Det har ikke fått noe nummer.'
            : `Faktura ${invoice.invoiceNumber} er registrert og kan etter loven ikke slettes. Den blir kansellert, og det lages en kreditnota med neste nummer i serien.`}
        </div>
      </ConfirmDialog>
    </>
  );
}

function deletableStatus({ status }: Invoice): DeletableStatus | undefined {
  return status === 'DRAFT' || status === 'REGISTERED' ? status : undefined;
}
