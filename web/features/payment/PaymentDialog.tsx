import { useWatch } from 'react-hook-form';
import { z } from 'zod/mini';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { amountTaken } from '../../../domain/invoice/claim.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import {
  differenceKroner,
  formatKroner,
  isKroner,
  kronerToOre,
  oreToKroner,
} from '../../../domain/money.ts';
import { paymentBody, type PaymentBody } from '../../../domain/payment/payment.schema.ts';
import { ControlledDate, ControlledNumber, GuardedForm } from '../../forms/GuardedForm.tsx';
import { useSchemaForm, type Draft } from '../../forms/Form.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { parseDate } from '../../lib/date-text.ts';
import { Alert } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormButtons, Modal, ModalButtons } from '../../ui/Modal.tsx';
import { useCreatePayment } from './payment.api.ts';
import styles from './PaymentDialog.module.css';

type PaymentDraft = Draft<z.input<typeof paymentBody>>;

interface PaymentDialogProps {
  readonly invoice: Invoice | undefined;
  readonly onClose: () => void;
  /** As of `Modal`. */
  readonly nextFocus?: () => HTMLElement | null;
}

export function PaymentDialog({ invoice, onClose, nextFocus }: PaymentDialogProps) {
  const create = useCreatePayment();
  return (
    <Modal
      title="Registrer betaling"
      description={
        invoice ? `Faktura ${invoice.invoiceNumber} til ${invoice.customerName}` : undefined
      }
      open={invoice !== undefined}
      pending={create.isPending}
      onClose={() => leave(onClose)}
      nextFocus={nextFocus}
    >
      {invoice === undefined ? null : create.isError && maxAmountOf(invoice) === 0 ? (
        <AlreadyPaid onClose={onClose} />
      ) : (
        <PaymentForm {...{ invoice, create, onClose }} />
      )}
    </Modal>
  );
}

/** In place of the form after a refusal because somebody else has registered the payment, or it came from the bank. */
function AlreadyPaid({ onClose }: Pick<PaymentDialogProps, 'onClose'>) {
  return (
    <>
      <Alert tone="warning" live title="Fakturaen er allerede betalt">
        Betalingen din er ikke registrert.
      </Alert>
      <ModalButtons>
        <Button onClick={() => leave(onClose)}>Lukk</Button>
      </ModalButtons>
    </>
  );
}

interface PaymentFormProps {
  readonly invoice: Invoice;
  readonly create: ReturnType<typeof useCreatePayment>;
  readonly onClose: () => void;
}

function PaymentForm({ invoice, create, onClose }: PaymentFormProps) {
  const form = useSchemaForm<PaymentDraft, PaymentBody>(schemaOf(invoice), {
    invoiceUuid: invoice.uuid,
    amount: invoice.amountDue > 0 ? invoice.amountDue : invoice.reminderAmount,
    date: todayInOslo(),
  });
  const { control } = form;
  const [amount, date] = useWatch({ control, name: ['amount', 'date'] });
  const most = maxAmountOf(invoice);
  const isTooMuch = (amount ?? 0) > most;
  const hint = isTooMuch
    ? `Bare ${formatKroner(most)} kr gjenstår.`
    : remainingText(invoice, amount);
  // A date that is still being typed is text. One before the invoice date is legal, but more often a typing error.
  const paid = parseDate(date ?? '');
  const isBefore = paid !== null && paid < invoice.issueDate;
  return (
    <GuardedForm
      form={form}
      name={`payment of ${invoice.uuid}`}
      save={create}
      onSaved={onClose}
      label="Betaling"
    >
      <div className={`grid gap-4 ${styles.fields}`}>
        <ControlledNumber
          control={control}
          name="amount"
          label="Beløp"
          required
          decimals={2}
          min={0}
          // No warning while it is sent: the amount due may be refetched before the request ends.
          hint={create.isPending && isTooMuch ? undefined : hint}
          hintTone={isTooMuch ? 'warning' : 'plain'}
        />
        <ControlledDate
          control={control}
          name="date"
          label="Dato"
          required
          hint={isBefore ? `Før fakturadatoen, ${formatDate(invoice.issueDate)}.` : undefined}
          hintTone="warning"
        />
      </div>
      <FormButtons
        label="Registrer betaling"
        pending={create.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}

/** Repeats the server's rules, in the same words, before the request. */
function schemaOf(invoice: Invoice) {
  return paymentBody.check(
    z.refine(({ amount }) => amount <= maxAmountOf(invoice), {
      path: ['amount'],
      message: 'Beløpet er høyere enn det som gjenstår å betale',
    }),
    z.refine(({ date }) => date <= todayInOslo(), {
      path: ['date'],
      message: 'Datoen kan ikke være etter i dag',
    }),
  );
}

/** The largest amount that can be paid, in kroner. */
function maxAmountOf({ amountDue, reminderAmount }: Invoice): number {
  return oreToKroner(amountTaken(kronerToOre(amountDue), kronerToOre(reminderAmount)));
}

function remainingText({ amountDue, reminderAmount }: Invoice, amount: number | null): string {
  const asked =
    reminderAmount > 0
      ? ` I tillegg purregebyr og renter: ${formatKroner(reminderAmount)} kr.`
      : '';
  if (amount === null || !isKroner(amount))
    return `Gjenstår ${formatKroner(amountDue)} kr.${asked}`;
  // Payments cover the invoice before reminder fees (`amountTaken`).
  const beyond = differenceKroner(amount, amountDue);
  if (beyond < 0) return `Da gjenstår ${formatKroner(-beyond)} kr.${asked}`;
  if (asked === '') return 'Da er hele fakturaen betalt.';
  if (beyond >= reminderAmount) return 'Da er alt betalt, purregebyr og renter også.';
  return beyond > 0
    ? `Da er fakturaen betalt, og ${formatKroner(beyond)} kr av purregebyr og renter.`
    : `Da er fakturaen betalt. Purregebyr og renter, ${formatKroner(reminderAmount)} kr, ettergis hvis profilen sier det.`;
}
