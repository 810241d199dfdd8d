import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { daysBetween, formatDate, todayInOslo } from '../../../domain/date.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { ReminderKind } from '../../../domain/late-payment/reminder-kind.ts';
import { isBusiness } from '../../../domain/parties.ts';
import {
  LEAST_REMINDER,
  reminderBody,
  type MadeReminder,
  type ReminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { showCount } from '../../lib/number-text.ts';
import { Alert } from '../../ui/Surface.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { ControlledDate } from '../../forms/GuardedForm.tsx';
import { Form, useSchemaForm } from '../../forms/Form.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { useCreateReminder } from './reminder.api.ts';
import { usePlan, ReminderPlan } from './ReminderPlan.tsx';

type Draft = z.input<typeof reminderBody>;
type ReminderForm = UseFormReturn<Draft, unknown, ReminderBody>;

export interface ReminderDialogProps {
  readonly invoice: Invoice | undefined;
  readonly onClose: () => void;
}

export function ReminderDialog({ invoice, onClose }: ReminderDialogProps) {
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
      {invoice ? <Proposal {...{ invoice, create, onClose }} /> : null}
    </Modal>
  );
}

function descriptionOf({ invoiceNumber, customerName, dueDate, paymentDeadline }: Invoice): string {
  const since = sinceDue(daysBetween(paymentDeadline ?? dueDate, todayInOslo()));
  return `Faktura ${invoiceNumber} til ${customerName}, ${since}`;
}

/** 'forfalt i går', 'forfalt for 14 dager siden'. */
function sinceDue(daysLate: number): string {
  if (daysLate === 1) return 'forfalt i går';
  return `forfalt for ${showCount(daysLate)} dager siden`;
}

interface ProposalProps {
  readonly invoice: Invoice;
  readonly create: ReturnType<typeof useCreateReminder>;
  readonly onClose: () => void;
}

/** Proposes the company's next step, as for reminders in bulk; or says why no reminder can be sent. */
function Proposal(props: ProposalProps) {
  const plan = usePlan(props.invoice.uuid, LEAST_REMINDER);
  const { proposed, dueDate } = plan.made ?? {};
  if (!proposed || dueDate === undefined)
    return <ReminderPlan invoice={props.invoice} plan={plan} />;
  return <Wish {...props} proposed={proposed} dueDate={dueDate} />;
}

type Proposed = NonNullable<MadeReminder['proposed']>;

interface WishProps extends ProposalProps, Pick<MadeReminder, 'dueDate'> {
  readonly proposed: Proposed;
}

function Wish({ invoice, create, onClose, proposed, dueDate }: WishProps) {
  const { kind, fee, interest, remindedToday } = proposed;
  const form = useSchemaForm<Draft, ReminderBody>(reminderBody, {
    kind,
    fee,
    interest,
    dueDate,
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
      {remindedToday ? <Alert>Det er sendt en purring i dag. Du kan sende en til.</Alert> : null}
      <div className="beside">
        <Choices form={form} invoice={invoice} proposed={proposed} />
        <ReminderPlan invoice={invoice} plan={plan} />
      </div>
      <FormButtons
        label={toPrint ? 'Lag purring' : 'Send purring'}
        // Only a reminder that was previewed can be sent.
        disabled={!plan.settled}
        pending={create.isPending}
        onCancel={onClose}
      />
    </Form>
  );
}

const KIND_HINTS: Readonly<Record<ReminderKind, string>> = {
  REMINDER: 'En vennlig påminnelse, uten gebyr',
  NOTICE: 'Tydeligere, og kan ha gebyr',
  DEBT_COLLECTION_NOTICE: 'Varsler at kravet går til inkasso',
};

interface ChoicesProps {
  readonly form: ReminderForm;
  readonly invoice: Invoice;
  readonly proposed: Proposed;
}

function Choices({ form, invoice, proposed }: ChoicesProps) {
  const { kind = 'REMINDER' } = useWatch(form);
  const choose = (chosen: ReminderKind) => {
    form.setValue('kind', chosen);
    form.setValue('fee', chosen === 'NOTICE' && proposed.mayHaveFee);
    form.setValue('compensation', false);
  };
  return (
    <div className="stack gap-4">
      <ChoiceField
        label="Hva vil du sende?"
        choices={proposed.kinds.map((value) => ({
          value,
          label: REMINDER_NAMES[value],
          hint: KIND_HINTS[value],
        }))}
        value={kind}
        onChange={choose}
      />
      <ControlledDate control={form.control} name="dueDate" label="Ny betalingsfrist" required />
      {kind === 'REMINDER' ? null : <FeeChoice {...{ form, invoice, proposed }} />}
      <Checkbox label="Krev forsinkelsesrente" {...form.register('interest')} />
    </div>
  );
}

type Fee = 'NONE' | 'FEE' | 'COMPENSATION';

/** Chooses a fee or the compensation from businesses; never both. */
function FeeChoice({ form, invoice, proposed }: ChoicesProps) {
  const { fee, compensation } = useWatch(form);
  const choices: { value: Fee; label: string; hint?: string | undefined }[] = [
    { value: 'FEE', label: 'Purregebyr', hint: hintOf(proposed) },
    ...(isBusiness(invoice.customerIdentifier)
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

function hintOf({ feeFrom, mayHaveFee }: Proposed): string | undefined {
  if (feeFrom === null) return 'Det kan ikke kreves flere gebyrer';
  return mayHaveFee ? undefined : `Kan kreves fra ${formatDate(feeFrom)}`;
}
