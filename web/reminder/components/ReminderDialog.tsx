import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

import { daysBetween, formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import {
  feeFrom,
  proposedDeadline,
  type ReminderKind,
} from '../../../domain/late-payment/reminder-law.ts';
import { kronerToOre } from '../../../domain/money.ts';
import { isValidOrgNumber } from '../../../domain/org-number.ts';
import {
  reminderBody,
  type Reminder,
  type ReminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { ControlledDate } from '../../ui/ControlledDate.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Form, useSchemaForm } from '../../ui/Form.tsx';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { KIND_HINTS, sinceDue, wasStopped } from '../labels.ts';
import { useCreateReminder } from '../reminder.mutations.ts';
import { planQuery } from '../reminder.queries.ts';
import { usePlan } from '../usePlan.ts';
import styles from './ReminderDialog.module.css';
import { ReminderPlan } from './ReminderPlan.tsx';

type Remindable = Pick<
  Invoice,
  | 'uuid'
  | 'invoiceNumber'
  | 'customerName'
  | 'currentCustomerNumber'
  | 'customerIdentifier'
  | 'dueDate'
  | 'paymentDeadline'
>;
type Draft = z.input<typeof reminderBody>;
type ReminderForm = UseFormReturn<Draft, unknown, ReminderBody>;

export interface ReminderDialogProps {
  /** What is reminded of; undefined while the dialog is closed. */
  readonly invoice: Remindable | undefined;
  /** The reminders that it has had. */
  readonly sent: readonly Reminder[];
  readonly onClose: () => void;
}

/** Asks how to remind of an invoice, and shows what that would be. */
export function ReminderDialog({ invoice, sent, onClose }: ReminderDialogProps) {
  const create = useCreateReminder(invoice?.uuid ?? '');
  return (
    <Modal
      wide
      title="Send purring"
      description={invoice ? descriptionOf(invoice) : undefined}
      open={invoice !== undefined}
      pending={create.isPending}
      onClose={onClose}
    >
      {invoice ? <Wish {...{ invoice, sent, create, onClose }} /> : null}
    </Modal>
  );
}

function descriptionOf({
  invoiceNumber,
  customerName,
  dueDate,
  paymentDeadline,
}: Remindable): string {
  const since = sinceDue(daysBetween(paymentDeadline ?? dueDate, todayInOslo()));
  return `Faktura ${invoiceNumber} til ${customerName}, ${since}`;
}

interface WishProps {
  readonly invoice: Remindable;
  readonly sent: readonly Reminder[];
  readonly create: ReturnType<typeof useCreateReminder>;
  readonly onClose: () => void;
}

function Wish({ invoice, sent, create, onClose }: WishProps) {
  const today = todayInOslo();
  const feeDay = feeDayOf(invoice, sent);
  // The first one is friendly.
  const kind = sent.length === 0 ? 'REMINDER' : 'NOTICE';
  const form = useSchemaForm<Draft, ReminderBody>(reminderBody, {
    kind,
    dueDate: proposedDeadline(today),
    fee: asksForFee(kind, feeDay),
    interest: false,
    compensation: false,
  });
  const plan = usePlan(invoice.uuid, useWatch(form));
  const toPrint = plan.settled?.recipient === null;
  return (
    <Form
      form={form}
      label="Valg for purringen"
      onSubmit={async (body) => {
        await create.mutateAsync(body);
        onClose();
      }}
    >
      <div className={styles.columns}>
        <Choices form={form} invoice={invoice} feeDay={feeDay} />
        <ReminderPlan invoice={invoice} plan={plan} />
      </div>
      <ModalButtons>
        <Button disabled={create.isPending} onClick={onClose}>
          Avbryt
        </Button>
        <Button
          type="submit"
          variant="primary"
          // What is sent is what was seen.
          disabled={!plan.settled}
          pending={create.isPending}
        >
          {toPrint ? 'Lag purring' : 'Send purring'}
        </Button>
      </ModalButtons>
    </Form>
  );
}

/** The first day on which the law allows a fee; null when it allows none any more. */
function feeDayOf(
  { dueDate, paymentDeadline }: Remindable,
  sent: readonly Reminder[],
): IsoDate | null {
  return feeFrom({
    dueDate: paymentDeadline ?? dueDate,
    isBusiness: false,
    sent: sent
      .filter((one) => !wasStopped(one))
      .map((one) => ({
        sentOn: one.date,
        dueDate: one.dueDate,
        fee: kronerToOre(one.fee),
        compensation: kronerToOre(one.compensation),
      })),
  });
}

/** Whether a kind asks for a fee unless one says otherwise. */
function asksForFee(kind: ReminderKind, feeDay: IsoDate | null): boolean {
  return kind === 'NOTICE' && feeDay !== null && feeDay <= todayInOslo();
}

interface ChoicesProps {
  readonly form: ReminderForm;
  readonly invoice: Remindable;
  readonly feeDay: IsoDate | null;
}

function Choices({ form, invoice, feeDay }: ChoicesProps) {
  const { kind = 'REMINDER' } = useWatch(form);
  const collection = useQuery(planQuery(invoice.uuid, COLLECTION));
  const kinds: ReminderKind[] = ['REMINDER', 'NOTICE'];
  // Who may send one is for the operator and the law to say.
  if (collection.data) kinds.push('DEBT_COLLECTION_NOTICE');
  const choose = (chosen: ReminderKind) => {
    form.setValue('kind', chosen);
    form.setValue('fee', asksForFee(chosen, feeDay));
    form.setValue('compensation', false);
  };
  return (
    <div className={styles.choices}>
      <ChoiceField
        label="Hva vil du sende?"
        choices={kinds.map((value) => ({
          value,
          label: REMINDER_NAMES[value],
          hint: KIND_HINTS[value],
        }))}
        value={kind}
        onChange={choose}
      />
      <ControlledDate control={form.control} name="dueDate" label="Ny betalingsfrist" required />
      {kind === 'REMINDER' ? null : <FeeChoice {...{ form, invoice, feeDay }} />}
      <Checkbox label="Krev forsinkelsesrente" {...form.register('interest')} />
    </div>
  );
}

/** Whether there may be one at all is asked once, with nothing that could make it unlawful besides. */
const COLLECTION = {
  kind: 'DEBT_COLLECTION_NOTICE',
  dueDate: null,
  fee: false,
  interest: false,
  compensation: false,
} as const satisfies ReminderBody;

type Fee = 'NONE' | 'FEE' | 'COMPENSATION';

/** A fee, or what a business owes for the trouble: never both. */
function FeeChoice({ form, invoice, feeDay }: ChoicesProps) {
  const { fee, compensation } = useWatch(form);
  const isBusiness = isValidOrgNumber(invoice.customerIdentifier ?? '');
  const choices: { value: Fee; label: string; hint?: string | undefined }[] = [
    { value: 'FEE', label: 'Purregebyr', hint: hintOf(feeDay) },
    ...(isBusiness
      ? [
          {
            value: 'COMPENSATION' as const,
            label: 'Standardkompensasjon',
            hint: 'Bare fra bedrifter, i stedet for gebyr',
          },
        ]
      : []),
    { value: 'NONE', label: 'Ikke noe gebyr' },
  ];
  return (
    <ChoiceField
      label="Gebyr"
      choices={choices}
      value={compensation ? 'COMPENSATION' : fee ? 'FEE' : 'NONE'}
      onChange={(chosen) => {
        form.setValue('fee', chosen === 'FEE');
        form.setValue('compensation', chosen === 'COMPENSATION');
      }}
    />
  );
}

function hintOf(feeDay: IsoDate | null): string | undefined {
  if (feeDay === null) return 'Det kan ikke kreves flere gebyrer';
  return feeDay > todayInOslo() ? `Kan kreves fra ${formatDate(feeDay)}` : undefined;
}
