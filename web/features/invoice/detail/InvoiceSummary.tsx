import { Link } from 'react-router';

import { formatBankAccount, formatOrgNumber } from '../../../../domain/parties.ts';
import { daysBetween, formatDate, todayInOslo } from '../../../../domain/date.ts';
import { DELIVERY_TYPE_NAMES } from '../../../../domain/delivery/delivery.schema.ts';
import { kidLabel } from '../../../../domain/document/invoice-document.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { countOf } from '../../../lib/count.ts';
import { paths } from '../../../lib/paths.ts';
import { useFeature } from '../../session/session.api.ts';
import { Definitions } from '../../../ui/Definitions.tsx';
import { Card, Skeleton } from '../../../ui/Surface.tsx';
import { isOwed, isPartPaid } from '../overdue.ts';
import { StatusBadge } from '../StatusBadge.tsx';
import styles from './InvoiceSummary.module.css';

/** Terms that a credit note leaves out, since nobody pays it. */
const OF_INVOICES_ONLY = new Set([
  'KID',
  'KID/melding',
  'Betalt dato',
  'Forfallsdato',
  'Kontonummer',
]);

export function InvoiceSummary({ invoice }: { invoice: Invoice }) {
  const showsPayments = useFeature('payments');
  const showsReminders = useFeature('reminders');
  const { customerIdentifier, bankAccountNumber, paidDate, reference } = invoice;
  const { amountDue, reminderAmount } = invoice;
  const owesMore = showsReminders && reminderAmount > 0;
  const showsLeft = owesMore || (showsPayments && isPartPaid(invoice));
  const isInvoice = invoice.kind === 'INVOICE';
  const isShown = ({ term }: { term: string }) => isInvoice || !OF_INVOICES_ONLY.has(term);
  return (
    <Card heading="Oversikt">
      <div className={styles.head}>
        <Definitions
          items={[
            {
              term: showsLeft ? 'Gjenstår' : totalLabelOf(invoice),
              value: `${formatKroner(showsLeft ? amountDue : invoice.grossAmount)} kr`,
              numeric: true,
              wide: true,
              large: true,
            },
            { term: 'Kunde', value: <CustomerLink invoice={invoice} />, wide: true },
            { term: 'Forfallsdato', value: <DueDate invoice={invoice} />, numeric: true },
            {
              term: 'Status',
              value: <StatusBadge {...{ invoice, showsPayments }} showsDisputes={showsReminders} />,
            },
          ].filter(isShown)}
        />
      </div>
      <Definitions
        items={[
          {
            term: 'Organisasjonsnummer',
            value: customerIdentifier ? formatOrgNumber(customerIdentifier) : null,
            numeric: true,
            wide: true,
          },
          {
            term: kidLabel(invoice),
            value: invoice.customerIdentificationNumber,
            numeric: true,
            wide: true,
          },
          ...(owesMore
            ? [
                {
                  term: 'Purregebyr og renter',
                  value: `${formatKroner(reminderAmount)} kr`,
                  numeric: true,
                },
              ]
            : []),
          {
            term: isInvoice ? 'Fakturadato' : 'Kreditnotadato',
            value: formatDate(invoice.issueDate),
            numeric: true,
          },
          { term: 'Betalt dato', value: paidDate ? formatDate(paidDate) : null, numeric: true },
          { term: 'Leveringsmetode', value: DELIVERY_TYPE_NAMES[invoice.deliveryType] },
          { term: 'Leveringsdato', value: formatDate(invoice.deliveryDate), numeric: true },
          {
            term: 'Kontonummer',
            value: bankAccountNumber ? formatBankAccount(bankAccountNumber) : null,
            numeric: true,
          },
          ...(reference ? [{ term: 'Referanse', value: reference }] : []),
        ].filter(isShown)}
      />
    </Card>
  );
}

export function totalLabelOf({ kind, status }: Invoice): string {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return 'Kreditert';
  return status === 'PAID' ? 'Betalt' : 'Å betale';
}

/** The due date and, while an amount is owed, the number of days until or since then. */
function DueDate({ invoice }: { invoice: Invoice }) {
  const date = formatDate(invoice.dueDate);
  if (!isOwed(invoice)) return date;
  const daysLeft = daysBetween(todayInOslo(), invoice.dueDate);
  return (
    <>
      {date}
      <span className={`note ${styles.distance}`} data-late={daysLeft < 0 || undefined}>
        {distanceText(daysLeft)}
      </span>
    </>
  );
}

function distanceText(daysLeft: number): string {
  if (daysLeft === 0) return 'Forfaller i dag';
  const days = countOf(Math.abs(daysLeft), 'dag', 'dager');
  return daysLeft < 0 ? `${days} over forfall` : `Om ${days}`;
}

function CustomerLink({ invoice }: { invoice: Invoice }) {
  const { customerName, currentCustomerNumber: customerNumber } = invoice;
  if (customerNumber === null) return customerName;
  return <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>;
}

interface Term {
  readonly term: string;
  readonly wide?: boolean;
  readonly height?: string;
}

const FIRST: readonly Term[] = [
  { term: 'Å betale', wide: true, height: '2.1em' },
  { term: 'Kunde', wide: true },
  { term: 'Forfallsdato', height: '2.4em' },
  { term: 'Status', height: '1.8em' },
];
const TERMS: readonly Term[] = [
  { term: 'Organisasjonsnummer', wide: true },
  { term: 'KID/melding', wide: true },
  { term: 'Fakturadato' },
  { term: 'Betalt dato' },
  { term: 'Leveringsmetode' },
  { term: 'Leveringsdato' },
  { term: 'Kontonummer' },
];

/** The widths of 'Vis PDF', 'Kopier', 'Send purring' and 'Sett til betalt', which most invoices have. */
const BUTTON_WIDTHS = ['117px', '86px', '136px', '161px'];

export function InvoiceActionsSkeleton() {
  return BUTTON_WIDTHS.map((width) => (
    <Skeleton key={width} width={width} height="var(--control)" />
  ));
}

/** The screen while the invoice is fetched: the cards that every invoice has, in their usual heights. */
export function InvoiceSkeleton() {
  return (
    <>
      <Card heading="Oversikt">
        <div className={styles.head}>
          <Definitions items={FIRST.map(toDefinition)} />
        </div>
        <Definitions items={TERMS.map(toDefinition)} />
      </Card>
      <Card heading="Leveringer">
        <Skeleton height="96px" />
      </Card>
      <Card heading="Linjer">
        <Skeleton height="330px" />
      </Card>
      <Card heading="Historikk">
        <Skeleton height="240px" />
      </Card>
    </>
  );
}

function toDefinition({ term, wide = false, height = '1em' }: Term) {
  return { term, wide, value: <Skeleton width="110px" height={height} /> };
}
