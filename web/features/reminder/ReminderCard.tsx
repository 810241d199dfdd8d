import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod/mini';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { mayStillLeave } from '../../../domain/late-payment/reminder-law.ts';
import { formatKroner, sumKroner } from '../../../domain/money.ts';
import {
  type Reminder,
  disputeBody,
  NOTE_LENGTH,
  type DisputeBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge, LabelBadge, type Label } from '../../ui/Badge.tsx';
import { Button, IconAnchor } from '../../ui/Button.tsx';
import { ConfirmButton, Modal } from '../../ui/Modal.tsx';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { SumList } from '../../ui/SumList.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { DELIVERY_STATUS_LABELS, STOPPED_LABEL } from '../invoice/invoice-labels.ts';
import { ResendButton } from '../invoice/ResendButton.tsx';
import {
  remindersQuery,
  useDeliverReminder,
  useWaiveReminders,
  useDisputeInvoice,
} from './reminder.api.ts';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { DialogForm } from '../../forms/DialogForm.tsx';
import { leave } from '../../forms/unsaved-input.tsx';

const COLUMNS = [
  { heading: 'Dato', width: '124px' },
  { heading: 'Purring' },
  { heading: 'Ny frist', width: '112px' },
  { heading: 'Gebyr', width: '104px', align: 'end' },
  { heading: 'Rente', width: '104px', align: 'end' },
  { heading: 'Å betale', width: '120px', align: 'end' },
  { heading: '', label: 'Handlinger', width: '64px' },
] as const;

export function ReminderCard({ invoice, whyNot }: { invoice: Invoice; whyNot: string | null }) {
  const list = useQuery(remindersQuery(invoice.uuid));
  const dispute = useDisputeInvoice(invoice.uuid);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { status, disputed, reminderAmount } = invoice;
  const isOpen = status === 'REGISTERED';
  // A settled invoice without reminders has no card.
  if (!isOpen && !disputed && (list.data ?? []).length === 0) return null;
  return (
    <Card
      flush
      heading="Purringer"
      aside={
        isOpen && !disputed ? (
          <Button onClick={() => setAsking(true)}>Merk som bestridt</Button>
        ) : null
      }
    >
      {disputed ? <Disputed invoice={invoice} /> : null}
      <Fetched query={list} pending={<Skeleton height="48px" />}>
        {(reminders) =>
          reminders.length > 0 ? (
            <Table label="Purringer" columns={COLUMNS}>
              {reminders.map((reminder) => (
                <ReminderRow key={reminder.uuid} invoice={invoice} reminder={reminder} />
              ))}
            </Table>
          ) : (
            <p className="part soft unless-empty">{disputed ? null : whyNot}</p>
          )
        }
      </Fetched>
      {reminderAmount > 0 ? <Sums invoice={invoice} /> : null}
      <Modal
        title="Merk som bestridt"
        description="Er kunden uenig i kravet, skal det ikke purres før dere er enige. Kunden får ikke se dette."
        open={isAsking}
        pending={dispute.isPending}
        onClose={() => leave(close)}
      >
        {isAsking ? <DisputeForm {...{ invoice, dispute }} onClose={close} /> : null}
      </Modal>
    </Card>
  );
}

function ReminderRow({ invoice, reminder }: { invoice: Invoice; reminder: Reminder }) {
  const { uuid, kind, date, dueDate, fee, interest, compensation, amount, waived } = reminder;
  const name = REMINDER_NAMES[kind];
  return (
    <Row>
      <Cell label="Dato" numeric>
        {formatDate(date)}
      </Cell>
      <Cell label="Purring" main>
        <div className="stack gap-0">
          <span className="row gap-2">
            {name} <LabelBadge label={labelOf(reminder)} />
            {waived ? <Badge tone="gray">Ettergitt</Badge> : null}
          </span>
          {compensation > 0 ? (
            <span className="aside">Standardkompensasjon i stedet for gebyr</span>
          ) : null}
          <Failure invoice={invoice} reminder={reminder} />
        </div>
      </Cell>
      <Cell label="Ny frist" numeric>
        {formatDate(dueDate)}
      </Cell>
      <Cell label="Gebyr" align="end" numeric>
        <Extra kroner={Math.max(fee, compensation)} waived={waived} />
      </Cell>
      <Cell label="Rente" align="end" numeric>
        <Extra kroner={interest} waived={waived} />
      </Cell>
      <Cell label="Å betale" align="end" numeric>
        {formatKroner(amount)}
      </Cell>
      <Cell actions>
        <IconAnchor
          href={paths.reminderPdf(invoice.uuid, uuid)}
          label={`Vis PDF av ${name.toLowerCase()} ${formatDate(date)}`}
          icon={<FileIcon />}
        />
      </Cell>
    </Row>
  );
}

const PRINTED_LABEL: Label = { text: 'Til utskrift', tone: 'gray' };

function labelOf({ deliveryStatus, delivery }: Reminder): Label {
  if (delivery?.stoppedBy) return STOPPED_LABEL;
  return deliveryStatus === null ? PRINTED_LABEL : DELIVERY_STATUS_LABELS[deliveryStatus];
}

/** A fee or interest: a dash for none, struck out when waived. */
function Extra({ kroner, waived }: { kroner: number; waived: boolean }) {
  if (kroner === 0) return '–';
  const text = formatKroner(kroner);
  return waived ? <s>{text}</s> : text;
}

/** The reason why a delivery failed, with a button that sends the reminder again. */
function Failure({ invoice, reminder }: { invoice: Invoice; reminder: Reminder }) {
  const deliver = useDeliverReminder(invoice.uuid);
  const { uuid, delivery, deliveryStatus, waived } = reminder;
  if (deliveryStatus !== 'FAILED' || !delivery) return null;
  const isOpen = invoice.status === 'REGISTERED' && !invoice.disputed && !waived;
  const isInTime = mayStillLeave(reminder, todayInOslo());
  return (
    <span className="row">
      <span className="aside">{delivery.failureReason}</span>
      {isOpen && !isInTime ? (
        <span className="aside">Fristen er for kort nå. Send en ny purring.</span>
      ) : null}
      {isOpen && isInTime ? (
        <ResendButton
          label={delivery.stoppedBy ? 'Send likevel' : 'Send på nytt'}
          delivery={delivery}
          customerNumber={invoice.currentCustomerNumber}
          pending={deliver.isPending}
          onSend={async (recipient) => deliver.mutateAsync({ reminderUuid: uuid, recipient })}
        />
      ) : null}
    </span>
  );
}

function Sums({ invoice }: { invoice: Invoice }) {
  const { uuid, amountDue, reminderAmount } = invoice;
  const waive = useWaiveReminders(uuid);
  const all = sumKroner([amountDue, reminderAmount]);
  return (
    <>
      <SumList
        className="foot"
        sums={[
          { label: 'Gjenstår av fakturaen', amount: showKroner(amountDue) },
          { label: 'Purregebyr og renter', amount: showKroner(reminderAmount) },
          { label: 'Totalt', amount: `${formatKroner(all)} kr`, strong: true },
        ]}
      />
      <div className="part row ends">
        <ConfirmButton
          label="Ettergi"
          title="Ettergi gebyr og renter?"
          confirmLabel="Ettergi"
          confirmVariant="primary"
          pending={waive.isPending}
          onConfirm={(onSuccess) => waive.mutate(undefined, { onSuccess })}
        >
          Kunden slipper å betale {formatKroner(reminderAmount)} kr i purregebyr og renter. Det kan
          ikke angres.
        </ConfirmButton>
      </div>
    </>
  );
}

function Disputed({ invoice: { uuid, disputedNote } }: { invoice: Invoice }) {
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
    <DialogForm
      form={form}
      name={`dispute of ${invoice.uuid}`}
      save={dispute}
      submitLabel="Merk som bestridt"
      onClose={onClose}
      label="Bestridt"
    >
      <TextField
        label="Hva er kunden uenig i?"
        maxLength={NOTE_LENGTH}
        {...fieldProps(form, 'note')}
      />
    </DialogForm>
  );
}
