import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { formatBankAccount, formatOrgNumber } from '../../../../domain/parties.ts';
import { daysBetween, formatDate, type IsoDate, todayInOslo } from '../../../../domain/date.ts';
import { DELIVERY_TYPE_NAMES } from '../../../../domain/delivery/delivery.schema.ts';
import { kidLabel } from '../../../../domain/document/invoice-document.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTotals } from '../../../../domain/invoice/invoice.totals.ts';
import { differenceKroner, formatKroner, kronerToOre, ore } from '../../../../domain/money.ts';
import { countOf, showKroner } from '../../../lib/number-text.ts';
import { paths } from '../../../lib/paths.ts';
import { BuyerAddress } from '../../customer/MissingBuyer.tsx';
import { mainAccount, profileQuery } from '../../profile/profile.api.ts';
import { useFeature } from '../../session/session.api.ts';
import { Definitions } from '../../../ui/Definitions.tsx';
import type { Sum } from '../../../ui/SumList.tsx';
import { Card, Skeleton } from '../../../ui/Surface.tsx';
import { addressesOf } from '../invoice-labels.ts';
import { draftTotals } from '../line-sums.ts';
import { isOverdue, isOwed, isPartCredited, isPartPaid } from '../overdue.ts';
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
  const { customerIdentifier, bankAccountNumber, paidDate, reference, reminderAmount } = invoice;
  const isDraft = invoice.status === 'DRAFT';
  const { data: profile } = useQuery({ ...profileQuery, enabled: isDraft });
  const account = bankAccountNumber ?? mainAccount(profile?.bankAccounts ?? []);
  const owesMore = showsReminders && reminderAmount > 0;
  const isLess = owesMore || (showsPayments && isPartPaid(invoice));
  const isInvoice = invoice.kind === 'INVOICE';
  const isShown = ({ term }: { term: string }) => isInvoice || !OF_INVOICES_ONLY.has(term);
  return (
    <Card heading="Oversikt">
      <div className={styles.head}>
        <Definitions
          items={[
            {
              term: isLess ? 'Gjenstår' : totalLabelOf(invoice),
              value: <ClaimedSum invoice={invoice} isLess={isLess} />,
              numeric: true,
              wide: true,
              large: true,
            },
            { term: 'Kunde', value: <Buyer invoice={invoice} />, wide: true },
            { term: 'Forfallsdato', value: formatDate(invoice.dueDate), numeric: true },
            {
              term: 'Status',
              value: (
                <>
                  <StatusBadge {...{ invoice, showsPayments }} showsMarks={false} />
                  <p
                    className="note toned"
                    data-tone={isOverdue(invoice, todayInOslo()) ? 'red' : 'gray'}
                  >
                    {stateText(invoice, todayInOslo(), showsReminders)}
                  </p>
                </>
              ),
            },
          ].filter(isShown)}
        />
      </div>
      <Definitions
        items={[
          {
            term: 'Organisasjonsnummer',
            value: customerIdentifier && formatOrgNumber(customerIdentifier),
            numeric: true,
            wide: true,
          },
          {
            term: kidLabel(invoice),
            value: isDraft ? 'Tildeles ved registrering' : invoice.customerIdentificationNumber,
            numeric: true,
            wide: true,
          },
          {
            term: 'Purregebyr og renter',
            value: owesMore ? `${formatKroner(reminderAmount)} kr` : null,
            numeric: true,
          },
          {
            term: isInvoice ? 'Fakturadato' : 'Kreditnotadato',
            value: formatDate(invoice.issueDate),
            numeric: true,
          },
          { term: 'Betalt dato', value: paidDate && formatDate(paidDate), numeric: true },
          { term: 'Leveringsmetode', value: DELIVERY_TYPE_NAMES[invoice.deliveryType] },
          { term: 'Leveringsdato', value: formatDate(invoice.deliveryDate), numeric: true },
          { term: 'Kontonummer', value: account && formatBankAccount(account), numeric: true },
          { term: 'Referanse', value: reference },
          {
            term: 'Gjelder',
            value: invoice.quote && <QuoteLink quote={invoice.quote} />,
          },
        ].filter((item) => item.value && isShown(item))}
      />
    </Card>
  );
}

function QuoteLink({ quote: { uuid, quoteNumber } }: { quote: NonNullable<Invoice['quote']> }) {
  return <Link to={paths.quote(uuid)}>Tilbud {quoteNumber}</Link>;
}

export function totalLabelOf({ kind, status }: Invoice): string {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return 'Kreditert';
  return status === 'PAID' ? 'Betalt' : 'Å betale';
}

interface ClaimedSumProps {
  readonly invoice: Invoice;
  /** Whether it is what remains to be paid. */
  readonly isLess: boolean;
}

/** The invoice's sum, or what remains of it, with what is credited. */
function ClaimedSum({ invoice, isLess }: ClaimedSumProps) {
  const { amountDue, creditedAmount = 0 } = invoice;
  const sum = `${formatKroner(isLess ? amountDue : sumLeftOf(invoice))} kr`;
  if (!isPartCredited(invoice)) return sum;
  return (
    <>
      {sum}
      <p className="aside">Kreditert {showKroner(-creditedAmount)}</p>
    </>
  );
}

/** Kroner of an invoice that are not credited; all of one that is cancelled. */
function sumLeftOf(invoice: Invoice): number {
  const { grossAmount, creditedAmount = 0 } = invoice;
  return isPartCredited(invoice) ? differenceKroner(grossAmount, creditedAmount) : grossAmount;
}

/**
 * The sums of an invoice. A credit note that empties its invoice takes the øre that are left of the VAT (CRE-6), so its
 * VAT may differ from what its lines make; of several treatments it is then shown in one sum.
 */
export function issuedTotals(
  invoice: Pick<Invoice, 'kind' | 'lines' | 'vatAmount'>,
): InvoiceTotals | null {
  const totals = draftTotals(invoice.lines);
  if (totals === null || invoice.kind === 'INVOICE') return totals;
  const vat = kronerToOre(invoice.vatAmount);
  if (totals.vat === vat) return totals;
  const [part, ...others] = totals.subtotals;
  const subtotals = part && others.length === 0 ? [{ ...part, vat }] : [];
  return { net: totals.net, vat, gross: ore(totals.net + vat), subtotals };
}

/**
 * The rows below the total of an invoice that is credited in part: what is credited and, with payments, paid, and what
 * is then to be paid.
 */
export function sumsAfterCredit(invoice: Invoice, showsPayments: boolean): Sum[] {
  if (!isPartCredited(invoice)) return [];
  const { status, creditedAmount = 0, paidAmount, amountDue } = invoice;
  const isPart = showsPayments && isPartPaid(invoice);
  return [
    { label: 'Kreditert', amount: showKroner(-creditedAmount) },
    ...(isPart ? [{ label: 'Betalt', amount: showKroner(-paidAmount) }] : []),
    {
      label: isPart ? 'Gjenstår' : totalLabelOf(invoice),
      amount: showKroner(status === 'PAID' ? sumLeftOf(invoice) : amountDue),
      strong: true,
    },
  ];
}

type Stated = Pick<
  Invoice,
  | 'kind'
  | 'status'
  | 'deliveries'
  | 'deliveryType'
  | 'grossAmount'
  | 'creditedAmount'
  | 'dueDate'
  | 'paidDate'
  | 'disputed'
>;

/** A sentence about the state of an invoice: 'Sendt til faktura@nordnes.no, forfalt for 30 dager siden' (INV-38). */
export function stateText(invoice: Stated, today: IsoDate, showsReminders: boolean): string {
  const { status, dueDate, paidDate, disputed } = invoice;
  if (status === 'DRAFT') return 'Ikke registrert ennå';
  if (status === 'CANCELLED') return 'Kreditert';
  if (status === 'PAID') return paidDate ? `Betalt ${formatDate(paidDate)}` : 'Betalt';
  return [
    deliveryText(invoice),
    isOwed(invoice) ? dueText(daysBetween(today, dueDate)) : null,
    isPartCredited(invoice) ? 'delvis kreditert' : null,
    showsReminders && disputed ? 'bestridt' : null,
  ]
    .filter(Boolean)
    .join(', ');
}

function deliveryText({ deliveries, deliveryType }: Stated): string {
  const last = deliveries.at(-1);
  if (!last) return deliveryType === 'NONE' ? 'Ikke sendt herfra' : 'Venter på å bli sendt';
  if (last.stoppedBy) return 'Ikke sendt';
  const failed = addressesOf(last, 'FAILED');
  if (last.status === 'FAILED') return failed ? `Kom ikke fram til ${failed}` : 'Kom ikke fram';
  const verb = last.status === 'SENT' ? 'Sendt' : 'Sendes';
  const to = addressesOf(last, last.status);
  return `${verb}${last.deliveryType === 'EHF' ? ' som EHF' : ''}${to ? ` til ${to}` : ''}${failed ? `, ikke til ${failed}` : ''}`;
}

function dueText(daysLeft: number): string {
  if (daysLeft === 0) return 'forfaller i dag';
  const days = countOf(Math.abs(daysLeft), 'dag', 'dager');
  return daysLeft < 0 ? `forfalt for ${days} siden` : `forfaller om ${days}`;
}

function Buyer({ invoice }: { invoice: Invoice }) {
  const { status, customerName, customerIdentifier } = invoice;
  const { currentCustomerNumber: customerNumber } = invoice;
  if (customerNumber === null) return customerName;
  return (
    <>
      <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>
      {status === 'DRAFT' && !customerIdentifier ? (
        <BuyerAddress customerNumber={customerNumber} />
      ) : null}
    </>
  );
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
  { term: 'KID/melding', wide: true },
  { term: 'Fakturadato' },
  { term: 'Leveringsmetode' },
  { term: 'Leveringsdato' },
  { term: 'Kontonummer' },
];

/** The widths of 'Vis PDF', 'Kopier', 'Krediter', 'Send purring' and 'Sett til betalt', which most invoices have. */
const BUTTON_WIDTHS = { pdf: '117px', copy: '86px', credit: '98px', remind: '136px', pay: '161px' };

export function InvoiceActionsSkeleton() {
  const hasCredit = useFeature('credit');
  return Object.entries(BUTTON_WIDTHS)
    .filter(([button]) => button !== 'credit' || hasCredit)
    .map(([button, width]) => <Skeleton key={button} width={width} height="var(--control)" />);
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
      <Card heading="Linjer">
        <Skeleton height="330px" />
      </Card>
      <Card heading="Leveringer">
        <Skeleton height="96px" />
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
