import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { daysBetween, formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { ReminderKind } from '../../../domain/late-payment/reminder-kind.ts';
import {
  feeFrom,
  proposedDeadline,
  wasRemindedOn,
  type LateInvoice,
} from '../../../domain/late-payment/reminder-law.ts';
import { stepByHand } from '../../../domain/late-payment/reminder-steps.ts';
import { kronerToOre } from '../../../domain/money.ts';
import type { ReminderSettings } from '../../../domain/profile/reminder-settings.schema.ts';
import { isBusiness } from '../../../domain/parties.ts';
import {
  reminderBody,
  type ListedReminder,
  type ReminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { showCount } from '../../lib/number-text.ts';
import { reminderSettingsQuery } from '../profile/settings.api.ts';
import { Alert, Fetched, Skeleton } from '../../ui/Surface.tsx';
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
  readonly sent: readonly ListedReminder[];
  readonly onClose: () => void;
}

export function ReminderDialog({ invoice, sent, onClose }: ReminderDialogProps) {
  const create = useCreateReminder(invoice?.uuid ?? '');
  const query = useQuery({ ...reminderSettingsQuery, enabled: invoice !== undefined });
  return (
    <Modal
      wide
      title="Send purring"
      description={invoice ? descriptionOf(invoice) : undefined}
      open={invoice !== undefined}
      pending={create.isPending}
      onClose={onClose}
    >
      {invoice ? (
        <Fetched query={query} pending={<Skeleton height="280px" />}>
          {(settings) => <Wish {...{ settings, invoice, sent, create, onClose }} />}
        </Fetched>
      ) : null}
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

interface WishProps {
  readonly settings: ReminderSettings;
  readonly invoice: Invoice;
  readonly sent: readonly ListedReminder[];
  readonly create: ReturnType<typeof useCreateReminder>;
  readonly onClose: () => void;
}

/** Proposes the company's next step, as for reminders in bulk. */
function Wish({ settings, invoice, sent, create, onClose }: WishProps) {
  const today = todayInOslo();
  const late = toLateInvoice(invoice, sent);
  const feeDay = feeFrom(late);
  const { debtCollectionNotice: mayWarn } = settings;
  const step = stepByHand(settings.steps, late, today);
  const form = useSchemaForm<Draft, ReminderBody>(reminderBody, {
    ...step,
    // The operator may have turned debt collection notices off after the steps were saved.
    kind: step.kind === 'DEBT_COLLECTION_NOTICE' && !mayWarn ? 'NOTICE' : step.kind,
    dueDate: proposedDeadline(today),
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
      {wasRemindedOn(late, today) ? (
        <Alert>Det er sendt en purring i dag. Du kan sende en til.</Alert>
      ) : null}
      <div className="beside">
        <Choices form={form} invoice={invoice} feeDay={feeDay} mayWarn={mayWarn} />
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

function toLateInvoice(
  { dueDate, paymentDeadline }: Invoice,
  sent: readonly ListedReminder[],
): LateInvoice {
  return {
    dueDate: paymentDeadline ?? dueDate,
    isBusiness: false,
    sent: sent.map(({ date, counted }) => ({
      ...counted,
      sentOn: date,
      fee: kronerToOre(counted.fee),
      compensation: kronerToOre(counted.compensation),
    })),
  };
}

function asksForFee(kind: ReminderKind, feeDay: IsoDate | null): boolean {
  return kind === 'NOTICE' && feeDay !== null && feeDay <= todayInOslo();
}

const KIND_HINTS: Readonly<Record<ReminderKind, string>> = {
  REMINDER: 'En vennlig påminnelse, uten gebyr',
  NOTICE: 'Tydeligere, og kan ha gebyr',
  DEBT_COLLECTION_NOTICE: 'Varsler at kravet går til inkasso',
};

interface ChoicesProps {
  readonly form: ReminderForm;
  readonly invoice: Invoice;
  readonly feeDay: IsoDate | null;
}

function Choices({ form, invoice, feeDay, mayWarn }: ChoicesProps & { readonly mayWarn: boolean }) {
  const { kind = 'REMINDER' } = useWatch(form);
  const kinds: ReminderKind[] = ['REMINDER', 'NOTICE'];
  // The operator and the law decide who may send a debt collection notice.
  if (mayWarn) kinds.push('DEBT_COLLECTION_NOTICE');
  const choose = (chosen: ReminderKind) => {
    form.setValue('kind', chosen);
    form.setValue('fee', asksForFee(chosen, feeDay));
    form.setValue('compensation', false);
  };
  return (
    <div className="stack gap-4">
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

type Fee = 'NONE' | 'FEE' | 'COMPENSATION';

/** Chooses a fee or the compensation from businesses; never both. */
function FeeChoice({ form, invoice, feeDay }: ChoicesProps) {
  const { fee, compensation } = useWatch(form);
  const choices: { value: Fee; label: string; hint?: string | undefined }[] = [
    { value: 'FEE', label: 'Purregebyr', hint: hintOf(feeDay) },
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

function hintOf(feeDay: IsoDate | null): string | undefined {
  if (feeDay === null) return 'Det kan ikke kreves flere gebyrer';
  return feeDay > todayInOslo() ? `Kan kreves fra ${formatDate(feeDay)}` : undefined;
}
