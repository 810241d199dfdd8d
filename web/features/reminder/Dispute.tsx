import type { z } from 'zod/mini';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import {
  disputeBody,
  NOTE_LENGTH,
  type DisputeBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { ConfirmButton } from '../../ui/ConfirmDialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { useDisputeInvoice } from './reminder.api.ts';

export function Disputed({ invoice: { uuid, disputedNote } }: { invoice: Invoice }) {
  const dispute = useDisputeInvoice(uuid);
  return (
    <div className="part">
      <Alert
        tone="warning"
        title="Kunden har bestridt fakturaen"
        action={
          <ConfirmButton
            label="Ikke lenger bestridt"
            title="Er saken løst?"
            confirmLabel="Ikke lenger bestridt"
            confirmVariant="primary"
            pending={dispute.isPending}
            onConfirm={(onSuccess) =>
              dispute.mutate({ values: { disputed: false } }, { onSuccess })
            }
          >
            Da kan det purres på fakturaen igjen. Begrunnelsen står fortsatt i historikken.
          </ConfirmButton>
        }
      >
        {disputedNote === null ? null : <p>{disputedNote}</p>}
        <p>Ingen purringer sendes så lenge.</p>
      </Alert>
    </div>
  );
}

interface DisputeDialogProps {
  readonly invoice: Invoice | undefined;
  readonly onClose: () => void;
}

export function DisputeDialog({ invoice, onClose }: DisputeDialogProps) {
  const dispute = useDisputeInvoice(invoice?.uuid ?? '');
  return (
    <Modal
      title="Merk som bestridt"
      description="Er kunden uenig i kravet, skal det ikke purres før dere er enige. Kunden får ikke se dette."
      open={invoice !== undefined}
      pending={dispute.isPending}
      onClose={() => leave(onClose)}
    >
      {invoice ? <DisputeForm {...{ invoice, dispute, onClose }} /> : null}
    </Modal>
  );
}

interface DisputeFormProps {
  readonly invoice: Invoice;
  readonly dispute: ReturnType<typeof useDisputeInvoice>;
  readonly onClose: () => void;
}

function DisputeForm({ invoice, dispute, onClose }: DisputeFormProps) {
  const form = useSchemaForm<z.input<typeof disputeBody>, DisputeBody>(disputeBody, {
    disputed: true,
    note: '',
  });
  return (
    <GuardedForm
      form={form}
      name={`dispute of ${invoice.uuid}`}
      save={dispute}
      onSaved={onClose}
      label="Bestridt"
    >
      <TextField
        label="Hva er kunden uenig i?"
        maxLength={NOTE_LENGTH}
        {...fieldProps(form, 'note')}
      />
      <FormButtons
        label="Merk som bestridt"
        pending={dispute.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}
