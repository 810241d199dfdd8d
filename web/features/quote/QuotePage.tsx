import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { kronerToOre } from '../../../domain/money.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { PRICE_KIND_NAMES } from '../../../domain/quote/quote.state.ts';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { showDay } from '../../lib/date-text.ts';
import { showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge, LabelBadge } from '../../ui/Badge.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { RecordPage } from '../../ui/Page.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { SumList } from '../../ui/SumList.tsx';
import { AttachmentCard } from '../attachment/AttachmentCard.tsx';
import { EventCard } from '../history/EventCard.tsx';
import { STATUS_LABELS } from '../invoice/invoice-labels.ts';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { draftTotals } from '../invoice/line-sums.ts';
import { LineTable } from '../invoice/LineTable.tsx';
import { MailList } from '../portal/MailList.tsx';
import { May } from '../session/Allowed.tsx';
import { useCan, useFeature, useSession } from '../session/session.api.ts';
import { nameOf, stateLabel } from './quote-labels.ts';
import { quoteEventLabel, quoteEventNote } from './quote-history.ts';
import { quoteHistoryQuery, quoteQuery, useDeleteQuote, useQuoteFiles } from './quote.api.ts';
import { NextAct, QuoteActions } from './QuoteActions.tsx';
import { QuoteNotice } from './QuoteNotice.tsx';

export function QuotePage() {
  const uuid = useParams()['uuid'] ?? '';
  const { session } = useSession();
  const query = useQuery(quoteQuery(uuid));
  // The session says which buttons there are: those that came later would push down the rest (WEB-27).
  const data = session ? query.data : undefined;
  return (
    <RecordPage
      heading={data ? headingOf(data) : 'Tilbud'}
      aside={data ? <Standing quote={data} /> : null}
      actions={data ? <NextAct quote={data} /> : <Skeleton width="160px" height="var(--control)" />}
      furtherActions={data ? <QuoteActions quote={data} /> : null}
      query={{ ...query, data }}
      pending={<Skeleton height="480px" />}
    >
      {(quote) => <QuoteView quote={quote} />}
    </RecordPage>
  );
}

function headingOf(quote: Quote): string {
  return quote.quoteNumber === null
    ? `Utkast til tilbud til ${quote.customerName}`
    : `Tilbud ${quote.quoteNumber}`;
}

function Standing({ quote: { state, revision } }: { quote: Quote }) {
  return (
    <>
      <LabelBadge label={stateLabel(state)} />
      {revision > 1 ? <Badge tone="gray">Versjon {revision}</Badge> : null}
    </>
  );
}

function QuoteView({ quote }: { quote: Quote }) {
  const { lines, message, terms, deliveries } = quote;
  const hasAttachments = useFeature('attachments');
  const history = useQuery(quoteHistoryQuery(quote));
  return (
    <>
      <QuoteNotice quote={quote} />
      <Summary quote={quote} />
      <Invoiced quote={quote} />
      <Card flush heading="Linjer">
        <LineTable
          lines={lines}
          footer={<InvoiceSums totals={totalsOf(quote)} totalLabel="Totalt" />}
        />
      </Card>
      {message === null ? null : (
        <Card heading="Melding til kunden">
          <p className="lead lines">{message}</p>
        </Card>
      )}
      {terms === null ? null : (
        <Card heading="Forbehold og vilkår">
          <p className="lead lines">{terms}</p>
        </Card>
      )}
      {hasAttachments ? <QuoteFiles quote={quote} /> : null}
      {deliveries.length === 0 ? null : (
        <Card heading="Sendt på e-post">
          <MailList label="Sendinger" deliveries={deliveries} />
        </Card>
      )}
      <EventCard query={history} labelOf={quoteEventLabel} noteOf={quoteEventNote} />
      <May permission="edit">
        <DeleteDraft quote={quote} />
      </May>
    </>
  );
}

function QuoteFiles({ quote: { uuid, state } }: { quote: Quote }) {
  const isOpen = useCan('edit') && state === 'DRAFT';
  return <AttachmentCard attached={useQuoteFiles(uuid)} what="tilbudet" isOpen={isOpen} />;
}

/** The sums as they were sent, with those of each rate where the lines still make them. */
function totalsOf({ lines, netAmount, vatAmount, grossAmount }: Quote) {
  const totals = draftTotals(lines);
  const gross = kronerToOre(grossAmount);
  if (totals?.gross === gross) return totals;
  return { net: kronerToOre(netAmount), vat: kronerToOre(vatAmount), gross, subtotals: [] };
}

function Summary({ quote }: { quote: Quote }) {
  const { customerName, customerNumber, grossAmount, netAmount, priceKind, title } = quote;
  return (
    <Card>
      <Definitions
        items={[
          {
            term: 'Sum med mva.',
            value: (
              <>
                {showKroner(grossAmount)}
                {netAmount === grossAmount ? null : (
                  <p className="aside">{showKroner(netAmount)} uten mva.</p>
                )}
              </>
            ),
            numeric: true,
            large: true,
            wide: true,
          },
          {
            term: 'Kunde',
            value:
              customerNumber === null ? (
                customerName
              ) : (
                <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>
              ),
            wide: true,
          },
          ...(title === null ? [] : [{ term: 'Tittel', value: title, wide: true }]),
          { term: 'Pris', value: PRICE_KIND_NAMES[priceKind] },
          { term: 'Gyldig til og med', value: formatDate(quote.validUntil), numeric: true },
          ...(quote.sentAt === null
            ? []
            : [{ term: 'Sendt', value: showDay(quote.sentAt), numeric: true }]),
          ...(quote.reference === null ? [] : [{ term: 'Referanse', value: quote.reference }]),
          ...(quote.confirmByCode ? [{ term: 'Godtas med', value: 'Navn og kode på e-post' }] : []),
        ]}
      />
    </Card>
  );
}

/** The invoices of an accepted quote, and the rest of it. */
function Invoiced({ quote }: { quote: Quote }) {
  const { state, invoices, netAmount, invoicedNet, leftNet } = quote;
  const isAccepted = state === 'ACCEPTED' || state === 'PARTLY_INVOICED' || state === 'INVOICED';
  if (!isAccepted || invoices.length === 0) return null;
  return (
    <Card heading="Fakturaer av tilbudet">
      <div className="stack gap-4">
        <ul className="divided" aria-label="Fakturaer av tilbudet">
          {invoices.map(({ uuid, invoiceNumber, status, netAmount: net }) => (
            <li key={uuid} className="row between gap-2">
              <Link to={paths.invoice(invoiceNumber ?? uuid)}>
                {invoiceNumber === null ? 'Utkast' : `Faktura ${invoiceNumber}`}
              </Link>
              <span className="row gap-2 numeric">
                {showKroner(net)}
                <LabelBadge label={STATUS_LABELS[status]} />
              </span>
            </li>
          ))}
        </ul>
        <SumList
          sums={[
            { label: 'Tilbudet uten mva.', amount: showKroner(netAmount) },
            { label: 'Fakturert', amount: showKroner(invoicedNet) },
            { label: 'Gjenstår', amount: showKroner(leftNet), isTotal: true },
          ]}
        />
      </div>
    </Card>
  );
}

/** A quote that was never sent goes; of a further version only the draft does. */
function DeleteDraft({ quote }: { quote: Quote }) {
  const { uuid, state, sentRevision, revision } = quote;
  const isRevision = sentRevision !== null;
  const remove = useDeleteQuote(isRevision ? revision : null);
  if (state !== 'DRAFT') return null;
  return (
    <DeleteRecord
      what={isRevision ? `versjon ${revision}` : 'tilbud'}
      remove={remove}
      value={uuid}
      to={isRevision ? paths.quote(uuid) : paths.quotes}
    >
      {isRevision
        ? `Versjon ${revision} slettes. ${nameOf(quote)} blir som i versjon ${sentRevision}, som er sendt.`
        : `Utkastet til ${quote.customerName} slettes.`}
    </DeleteRecord>
  );
}
