import { z } from 'zod/mini';

import { dateText, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { sumKroner } from '../../../domain/money.ts';
import { ControlledDate } from '../../forms/GuardedForm.tsx';
import { Form, useSchemaForm } from '../../forms/Form.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { FormButtons, type LeftOut, LeftOutList, Modal } from '../../ui/Modal.tsx';
import { countInvoices } from './invoice-labels.ts';

interface PaidDialogProps {
  readonly open: boolean;
  readonly invoices: readonly Invoice[];
  /** The chosen invoices that stay as they are. */
  readonly leftOut?: LeftOut | undefined;
  readonly pending: boolean;
  readonly onClose: () => void;
  readonly onPaid: (date: string) => void;
}

export function PaidDialog({ open, invoices, leftOut, ...answer }: PaidDialogProps) {
  const { pending, onClose } = answer;
  const due = showKroner(sumKroner(invoices.map(({ amountDue }) => amountDue)));
  return (
    <Modal
      title="Sett til betalt"
      description={
        invoices.length === 1
          ? `Fakturaen blir betalt i sin helhet, ${due}.`
          : `${countInvoices(invoices.length)}, ${due}, blir betalt i sin helhet, på samme dato.`
      }
      {...{ open, pending, onClose }}
    >
      {leftOut ? <LeftOutList {...leftOut} /> : null}
      {open ? <PaidForm {...answer} count={invoices.length} /> : null}
    </Modal>
  );
}

/** The server's own rule, checked before the request. */
const paidForm = z.object({
  paidDate: dateText().check(
    z.refine((date) => date <= todayInOslo(), 'Datoen kan ikke være etter i dag'),
  ),
});

interface PaidFormProps extends Pick<PaidDialogProps, 'pending' | 'onClose' | 'onPaid'> {
  readonly count: number;
}

function PaidForm({ count, pending, onClose, onPaid }: PaidFormProps) {
  const form = useSchemaForm(paidForm, { paidDate: todayInOslo() });
  return (
    <Form
      form={form}
      label="Når det ble betalt"
      onSubmit={async ({ paidDate }) => Promise.resolve(onPaid(paidDate))}
    >
      <ControlledDate control={form.control} name="paidDate" label="Betalingsdato" required />
      <FormButtons
        label={pending ? `Setter ${countInvoices(count)} til betalt …` : 'Sett til betalt'}
        pending={pending}
        onCancel={onClose}
      />
    </Form>
  );
}
