import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { useDeleteInvoice } from '../invoice.mutations.ts';
import styles from './DeleteInvoice.module.css';

/** A draft is deleted, a registered invoice credited; a paid one must be set to not paid first. */
export function DeleteInvoice({ invoice }: { invoice: Invoice }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const remove = useDeleteInvoice();
  if (invoice.kind === 'CREDIT_NOTE' || invoice.status === 'CANCELLED') return null;
  const isPaid = invoice.status === 'PAID';
  const confirm = () =>
    remove.mutate(invoice.uuid, {
      onSuccess: () => {
        setOpen(false);
        void navigate(paths.invoices);
      },
    });
  return (
    <div className={styles.delete}>
      <Button
        variant="danger"
        icon={<TrashIcon />}
        disabled={isPaid}
        aria-describedby={isPaid ? 'paid-note' : undefined}
        onClick={() => setOpen(true)}
      >
        Slett faktura
      </Button>
      {isPaid ? (
        <p id="paid-note" className={styles.note}>
          En betalt faktura kan ikke slettes. Sett den til «Ikke betalt» først.
        </p>
      ) : null}
      <ConfirmDialog
        title="Slett faktura"
        confirmLabel="Slett"
        open={open}
        pending={remove.isPending}
        onClose={() => setOpen(false)}
        onConfirm={confirm}
      >
        {invoice.status === 'DRAFT'
          ? 'Utkastet slettes for godt. Det har ikke fått noe nummer.'
          : `Faktura ${invoice.invoiceNumber} er registrert og kan etter loven ikke slettes. Den blir kansellert, og det lages en kreditnota med neste nummer i serien.`}
      </ConfirmDialog>
    </div>
  );
}
