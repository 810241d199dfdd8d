import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';

import { todayInOslo } from '../../../../domain/date.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { hasStatus } from '../../../lib/api-error.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import { useInvoiceFiles } from '../../attachment/attachment.api.ts';
import { AttachmentCard } from '../../attachment/AttachmentCard.tsx';
import { HistoryCard, historyQuery } from '../../history/HistoryCard.tsx';
import { PaymentCard } from '../../payment/PaymentCard.tsx';
import { PaymentDialog } from '../../payment/PaymentDialog.tsx';
import { CustomerLink } from '../../portal/CustomerLink.tsx';
import { RemindButton } from '../../reminder/RemindButton.tsx';
import { ReminderCard } from '../../reminder/ReminderCard.tsx';
import { whyNotRemind } from '../../reminder/may-remind.ts';
import { remindersQuery } from '../../reminder/reminder.api.ts';
import { NAMES } from '../../../lib/number-text.ts';
import { paths } from '../../../lib/paths.ts';
import { Allowed, May } from '../../session/Allowed.tsx';
import { useFeature, useSession } from '../../session/session.api.ts';
import { Alert, Card } from '../../../ui/Surface.tsx';
import { RecordPage } from '../../../ui/Page.tsx';
import { DeleteInvoice } from './DeleteInvoice.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { InvoiceActions, MainAction, OBSTACLES_ID } from './InvoiceActions.tsx';
import {
  InvoiceActionsSkeleton,
  InvoiceSkeleton,
  InvoiceSummary,
  issuedTotals,
  sumsAfterCredit,
  totalLabelOf,
} from './InvoiceSummary.tsx';
import { InvoiceSums } from '../InvoiceSums.tsx';
import { LineTable } from '../LineTable.tsx';
import { MendingLink } from '../MendingLink.tsx';
import { invoiceQuery, useUpdateInvoice } from '../invoice.api.ts';
import { isPartCredited, isPartPaid } from '../overdue.ts';

export function InvoicePage() {
  const id = useParams()['id'] ?? '';
  const { data: found, error, isError, refetch } = useQuery(invoiceQuery(id));
  const { status } = useSession();
  const update = useUpdateInvoice();
  const hasPayments = useFeature('payments');
  const hasReminders = useFeature('reminders');
  const [isPaying, setPaying] = useState(false);
  const pay = hasPayments ? () => setPaying(true) : undefined;
  // The first rendering is long. Deferred, it leaves the browser to the user in between; all of it comes at once. The session
  // says which cards and buttons there are: those that came later would push down the rest (WEB-27).
  const mayShow = useDeferredValue(found !== undefined && status !== 'unknown');
  const data = mayShow ? found : undefined;
  return (
    <RecordPage
      heading={data ? headingOf(data) : 'Faktura'}
      actions={
        data ? (
          <InvoiceActions
            invoice={data}
            update={update}
            onPay={pay}
            remind={
              hasReminders && data.status !== 'DRAFT' ? (
                <RemindButton invoice={data} whyNot={whyNotToday(data)} />
              ) : null
            }
          />
        ) : isError ? null : (
          <InvoiceActionsSkeleton />
        )
      }
      mainAction={
        data ? <MainAction invoice={data} update={update} onPay={pay} reread={refetch} /> : null
      }
      query={{ data, error, isError, refetch }}
      pending={<InvoiceSkeleton />}
    >
      {(invoice) => (
        <>
          {hasPayments ? <StaysPaid invoice={invoice} update={update} /> : null}
          <InvoiceView invoice={invoice} onPay={pay} />
          {hasPayments ? (
            <PaymentDialog
              invoice={isPaying ? invoice : undefined}
              onClose={() => setPaying(false)}
            />
          ) : null}
        </>
      )}
    </RecordPage>
  );
}

interface StaysPaidProps {
  readonly invoice: Invoice;
  readonly update: ReturnType<typeof useUpdateInvoice>;
}

/** Explains why 'Ikke betalt' was refused, and where to do it instead. */
function StaysPaid({ invoice, update: { error, variables, reset } }: StaysPaidProps) {
  const isPaid = invoice.status === 'PAID';
  // Reset: the next payment may be undoable.
  useEffect(() => {
    if (!isPaid) reset();
  }, [isPaid, reset]);
  const isRefused = hasStatus(error, 409) && variables?.invoice.uuid === invoice.uuid;
  if (!isRefused || !isPaid) return null;
  return (
    <Alert tone="warning" live title="Betalingen kommer fra banken">
      Fjern den fra fakturaen under «Betalinger», eller angre filen den kom med, under{' '}
      <Link to={paths.payments}>Innbetalinger</Link>.
    </Alert>
  );
}

function whyNotToday(invoice: Invoice): string | null {
  return whyNotRemind(invoice, todayInOslo());
}

function headingOf({ kind, invoiceNumber, customerName, grossAmount }: Invoice): string {
  if (invoiceNumber === null) {
    return `Utkast til faktura til ${customerName} på ${formatKroner(grossAmount)} kr`;
  }
  return `${kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura'} ${invoiceNumber}`;
}

function InvoiceView({ invoice, onPay }: { invoice: Invoice; onPay: (() => void) | undefined }) {
  const hasReminders = useFeature('reminders');
  const hasAttachments = useFeature('attachments');
  const hasPortal = useFeature('portal');
  const isLess = (onPay && isPartPaid(invoice)) || isPartCredited(invoice);
  const isPayable = invoice.kind === 'INVOICE' && invoice.status !== 'DRAFT';
  return (
    <>
      <Correction invoice={invoice} />
      <Obstacles draft={invoice} />
      <Hints draft={invoice} />
      <DueDatePassed invoice={invoice} />
      <WayOfDraft draft={invoice} />
      <InvoiceSummary invoice={invoice} />
      <Card flush heading="Linjer">
        <LineTable
          lines={invoice.lines}
          footer={
            <InvoiceSums
              totals={issuedTotals(invoice)}
              totalLabel={isLess ? 'Totalt' : totalLabelOf(invoice)}
              after={sumsAfterCredit(invoice, onPay !== undefined)}
            />
          }
        />
      </Card>
      {invoice.message === null ? null : (
        <Card heading="Melding til kunden">
          <p className="lead lines">{invoice.message}</p>
        </Card>
      )}
      {invoice.status === 'DRAFT' ? null : (
        <Allowed permission="issue">
          <DeliveryCard invoice={invoice} />
        </Allowed>
      )}
      <Allowed permission="payments">
        {onPay && isPayable ? <Payments invoice={invoice} onPay={onPay} /> : null}
        {hasReminders && isPayable ? (
          <ReminderCard invoice={invoice} whyNot={whyNotToday(invoice)} />
        ) : null}
      </Allowed>
      {hasAttachments && invoice.kind === 'INVOICE' ? (
        <Allowed permission="edit">
          <InvoiceFiles invoice={invoice} />
        </Allowed>
      ) : null}
      <InvoiceHistory invoice={invoice} />
      {hasPortal && invoice.status !== 'DRAFT' && invoice.kind === 'INVOICE' ? (
        <CustomerLink invoiceUuid={invoice.uuid} />
      ) : null}
      <DeleteInvoice invoice={invoice} />
    </>
  );
}

function InvoiceFiles({ invoice: { uuid, status } }: { invoice: Invoice }) {
  const attached = useInvoiceFiles(uuid);
  return <AttachmentCard attached={attached} what="fakturaen" isOpen={status === 'DRAFT'} />;
}

function Payments({ invoice, onPay }: { invoice: Invoice; onPay: () => void }) {
  const { currentCustomerNumber: customerNumber, amountDue } = invoice;
  const isAsked = customerNumber !== null && amountDue > 0;
  const customer = useQuery({ ...customerQuery(customerNumber ?? 0), enabled: isAsked });
  const { data: events } = useInvoiceHistory(invoice);
  const wasPaid =
    events?.some(({ kind, details }) => kind === 'CREDITED' && details.amount) ?? false;
  return <PaymentCard {...{ invoice, onPay, wasPaid }} credit={customer.data?.credit ?? 0} />;
}

function InvoiceHistory({ invoice }: { invoice: Invoice }) {
  return <HistoryCard query={useInvoiceHistory(invoice)} />;
}

function useInvoiceHistory(invoice: Invoice) {
  const isReminded = useFeature('reminders') && invoice.status !== 'DRAFT';
  const { data: reminders } = useQuery({ ...remindersQuery(invoice.uuid), enabled: isReminded });
  const reminded = reminders?.map(({ deliveryStatus }) => deliveryStatus);
  return useQuery(historyQuery(invoice, reminded));
}

/** Warns before the draft is registered, since the server would refuse it. */
function Obstacles({ draft }: { draft: Invoice }) {
  const { uuid, customerName, currentCustomerNumber: customerNumber, obstacles = [] } = draft;
  if (obstacles.length === 0) return null;
  return (
    <div id={OBSTACLES_ID} tabIndex={-1}>
      <Alert tone="warning" title="Utkastet kan ikke registreres ennå">
        {obstacles.map(({ message, mendedAt }) => (
          <p key={message}>
            {message}.{' '}
            <MendingLink isShown draft={{ uuid, customerName, customerNumber, mendedAt }} />
          </p>
        ))}
      </Alert>
    </div>
  );
}

/** Doubts that stop nothing (INV-46, VAT-12); the question before registering has them too. */
function Hints({ draft: { uuid, hints } }: { draft: Invoice }) {
  if (!hints?.length) return null;
  return (
    <Alert tone="warning" title="Se over dette før du registrerer">
      {hints.map(({ message }) => (
        <p key={message}>{message}.</p>
      ))}
      <May permission="edit">
        <Link to={paths.invoiceEdit(uuid)}>Endre utkastet</Link>
      </May>
    </Alert>
  );
}

function DueDatePassed({ invoice: { uuid, status, dueDate } }: { invoice: Invoice }) {
  if (status !== 'DRAFT' || dueDate >= todayInOslo()) return null;
  return (
    <Alert tone="warning" title="Forfallsdatoen er passert">
      Kunden får fakturaen etter at den skulle vært betalt.{' '}
      <May permission="edit">
        <Link to={paths.invoiceEdit(uuid)}>Endre datoene</Link> før du registrerer den.
      </May>
    </Alert>
  );
}

/** Says beforehand that a draft for e-mail will go as EHF (EINV-7). */
function WayOfDraft({ draft: { status, deliveryType, einvoice } }: { draft: Invoice }) {
  const isChanged = deliveryType === 'EMAIL' && einvoice?.willBeSentAs === 'EHF';
  if (status !== 'DRAFT' || !isChanged) return null;
  return <Alert>Sendes som EHF, fordi kunden kan motta det.</Alert>;
}

/** The links between an invoice and its credit notes. */
function Correction({ invoice }: { invoice: Invoice }) {
  const { creditNote, creditNotes = creditNote ? [creditNote] : [], creditedInvoice } = invoice;
  if (creditNotes.length > 0) {
    const numbers = creditNotes.map(({ invoiceNumber }) => String(invoiceNumber));
    return (
      <Alert>
        {isPartCredited(invoice) ? 'Kreditert' : 'Kansellert'} med{' '}
        {NAMES.formatToParts(numbers).map(({ type, value }, place) =>
          type === 'element' ? (
            <Link key={value} to={paths.invoice(value)}>
              {place === 0 ? `kreditnota ${value}` : value}
            </Link>
          ) : (
            value
          ),
        )}
        .
      </Alert>
    );
  }
  if (creditedInvoice) {
    return (
      <Alert>
        Krediterer{' '}
        <Link to={paths.invoice(creditedInvoice.invoiceNumber)}>
          faktura {creditedInvoice.invoiceNumber}
        </Link>
        .
      </Alert>
    );
  }
  return null;
}
