import { Link } from 'react-router';

import { formatBankAccount, formatOrgNumber } from '../../../../domain/parties.ts';
import { formatDate } from '../../../../domain/date.ts';
import { DELIVERY_TYPE_NAMES } from '../../../../domain/delivery/delivery.schema.ts';
import { kidLabel } from '../../../../domain/document/invoice-document.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { paths } from '../../../lib/paths.ts';
import { useFeature } from '../../session/session.queries.ts';
import { Definitions } from '../../../ui/Definitions.tsx';
import { Card } from '../../../ui/Surface.tsx';
import { isPartPaid } from '../part-paid.ts';
import { StatusBadge } from '../StatusBadge.tsx';

/** Nobody pays a credit note. */
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
  const isInvoice = invoice.kind === 'INVOICE';
  return (
    <Card heading="Oversikt">
      <Definitions
        items={[
          { term: 'Kunde', value: <CustomerLink invoice={invoice} />, wide: true },
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
          {
            term: 'Status',
            value: <StatusBadge {...{ invoice, showsPayments }} showsDisputes={showsReminders} />,
          },
          ...(owesMore || (showsPayments && isPartPaid(invoice))
            ? [{ term: 'Gjenstår', value: `${formatKroner(amountDue)} kr`, numeric: true }]
            : []),
          ...(owesMore
            ? [
                {
                  term: 'Purregebyr og renter',
                  value: `${formatKroner(reminderAmount)} kr`,
                  numeric: true,
                },
              ]
            : []),
          { term: 'Leveringsmetode', value: DELIVERY_TYPE_NAMES[invoice.deliveryType] },
          { term: 'Betalt dato', value: paidDate ? formatDate(paidDate) : null, numeric: true },
          {
            term: isInvoice ? 'Fakturadato' : 'Kreditnotadato',
            value: formatDate(invoice.issueDate),
            numeric: true,
          },
          { term: 'Forfallsdato', value: formatDate(invoice.dueDate), numeric: true },
          {
            term: 'Kontonummer',
            value: bankAccountNumber ? formatBankAccount(bankAccountNumber) : null,
            numeric: true,
          },
          { term: 'Leveringsdato', value: formatDate(invoice.deliveryDate), numeric: true },
          ...(reference ? [{ term: 'Referanse', value: reference }] : []),
        ].filter(({ term }) => isInvoice || !OF_INVOICES_ONLY.has(term))}
      />
    </Card>
  );
}

/** Leads to the customer, unless they have been deleted since. */
function CustomerLink({ invoice }: { invoice: Invoice }) {
  const { customerName, currentCustomerNumber: customerNumber } = invoice;
  if (customerNumber === null) return customerName;
  return <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>;
}
