import { todayInOslo } from '../../domain/date.ts';
import { lineNet, presentLine } from '../../domain/invoice/invoice.totals.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { presentMail } from '../../domain/delivery/mail-recipients.ts';
import type { Quote } from '../../domain/quote/quote.schema.ts';
import { offerExpiresOn, quoteStateOn } from '../../domain/quote/quote.state.ts';
import type { Actor, Context } from '../context.ts';
import { quoteUrlOf } from './quote-link.service.ts';
import type { WholeQuote } from './whole-quote.repository.ts';

/** A quote as the API shows it to a caller. */
export function presentQuote(
  row: WholeQuote,
  { config }: Pick<Context, 'config'>,
  actor: Pick<Actor, 'permissions'>,
): Quote {
  const today = todayInOslo();
  const isAccepted = row.state === 'ACCEPTED';
  const left = row.lines.map((line) => ore(isAccepted ? lineNet(line) - line.taken : 0));
  return {
    uuid: row.uuid,
    quoteNumber: row.quoteNumber,
    revision: row.revision,
    state: quoteStateOn(row, today),
    ...sentOf(row, today),
    customerNumber: row.customer?.customerNumber ?? null,
    customerName: row.buyer?.name ?? row.customer?.name ?? '',
    customerIsPrivate: row.isPrivate ?? row.customer?.isPrivate ?? false,
    priceKind: row.priceKind,
    validUntil: row.validUntil,
    title: row.title,
    reference: row.reference,
    message: row.message,
    terms: row.terms,
    confirmByCode: row.confirmByCode,
    netAmount: oreToKroner(row.netAmount),
    vatAmount: oreToKroner(row.vatAmount),
    grossAmount: oreToKroner(row.grossAmount),
    sentAt: row.sentAt?.toISOString() ?? null,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    answeredBy: row.answeredBy,
    answerNote: row.answerNote,
    answeredHow: row.answeredHow,
    ...linkOf(row, { config }, actor),
    invoicedNet: oreToKroner(row.invoicedNet),
    leftNet: oreToKroner(ore(left.reduce((sum, net) => sum + net, 0))),
    invoices: row.invoices.map(presentInvoice),
    deliveries: row.deliveries.map(({ sentAt, ...mail }) =>
      presentMail({ ...mail, sentAt: sentAt === null ? null : new Date(sentAt) }),
    ),
    version: row.version,
    lines: row.lines.map((line, index) => ({
      id: line.id,
      ...presentLine(line, config.features),
      netAmount: oreToKroner(lineNet(line)),
      netLeft: oreToKroner(left[index] ?? ore(0)),
    })),
  };
}

/** The link is for those who may send (QUO-30). */
function linkOf(
  { linkUuid: uuid, linkHash: tokenHash, sentValidUntil, answeredAt }: WholeQuote,
  context: Pick<Context, 'config'>,
  { permissions }: Pick<Actor, 'permissions'>,
): Pick<Quote, 'url' | 'expiresOn'> {
  if (uuid === null || tokenHash === null || sentValidUntil === null) {
    return { url: null, expiresOn: null };
  }
  return {
    url: permissions.includes('issue') ? quoteUrlOf(context, { uuid, tokenHash }) : null,
    expiresOn: offerExpiresOn(sentValidUntil, answeredAt),
  };
}

function presentInvoice({ net, ...invoice }: WholeQuote['invoices'][number]) {
  return { ...invoice, netAmount: oreToKroner(net) };
}

/** The sent revision beside the draft of a further one. */
function sentOf(
  { state, sentState, sentRevision, sentValidUntil, invoiced }: WholeQuote,
  today: string,
): Pick<Quote, 'sentRevision' | 'sentState'> {
  if (state !== 'DRAFT' || sentState === null) return { sentRevision: null, sentState: null };
  const isExpired =
    quoteStateOn({ state: sentState, sentValidUntil, invoiced }, today) === 'EXPIRED';
  return { sentRevision, sentState: isExpired ? 'EXPIRED' : sentState };
}
