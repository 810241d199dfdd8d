import { z } from 'zod/mini';

import { dateText, todayInOslo } from '../../../domain/date.ts';
import { ControlledDate } from '../../forms/Controlled.tsx';
import { Form, useSchemaForm } from '../../forms/Form.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { countInvoices } from './invoice-labels.ts';

interface PaidDialogProps {
  readonly open: boolean;
  readonly count: number;
  readonly pending: boolean;
  readonly onClose: () => void;
  readonly onPaid: (date: string) => void;
}

export function PaidDialog({ open, count, pending, onClose, onPaid }: PaidDialogProps) {
  return (
    <Modal
      title="Sett til betalt"
      description={
        count === 1
          ? 'Fakturaen blir betalt i sin helhet.'
          : `${countInvoices(count)} blir betalt i sin helhet, på samme dato.`
      }
      {...{ open, pending, onClose }}
    >
      {open ? <PaidForm {...{ pending, onClose, onPaid }} /> : null}
    </Modal>
  );
}

/** The server's own rule, checked before the request. */
const paidForm = z.object({
  paidDate: dateText().check(
    z.refine((date) => date <= todayInOslo(), 'Datoen kan ikke være etter i dag'),
  ),
});

function PaidForm({ pending, onClose, onPaid }: Omit<PaidDialogProps, 'open' | 'count'>) {
  const form = useSchemaForm(paidForm, { paidDate: todayInOslo() });
  return (
    <Form
      form={form}
      label="Når det ble betalt"
      onSubmit={async ({ paidDate }) => Promise.resolve(onPaid(paidDate))}
    >
      <ControlledDate control={form.control} name="paidDate" label="Betalingsdato" required />
      <FormButtons label="Sett til betalt" pending={pending} onCancel={onClose} />
    </Form>
  );
}
