import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { termsOfDraft, type QuoteOfInvoice } from '../../domain/invoice/invoice.terms.ts';
import { oreToKroner, sumKroner } from '../../domain/money.ts';
import type { QuoteInvoiceBody } from '../../domain/quote/quote-invoice.schema.ts';
import {
  lineOfPart,
  partOf,
  wholeOf,
  type PartWish,
  type Taken,
} from '../../domain/quote/quote-parts.ts';
import { DEFAULT_DUE_DAYS } from '../../domain/terms.ts';
import { lockCompany, requireIssuer, type Issuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { lockByIds as lockCustomersByIds } from '../customer/customer.repository.ts';
import { AppError } from '../errors.ts';
import type { Trx } from '../platform/db/database.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { ratedOn } from '../invoice/lines.service.ts';
import { createDrafts, type NewDrafts } from '../issuing/drafts.service.ts';
import { presentInvoice } from '../issuing/invoice.presenter.ts';
import { lockQuote, requireState } from './quote-drafts.service.ts';
import { recordQuoteEvent } from './quote-history.repository.ts';
import {
  findTaken,
  getAccepted,
  insertParts,
  type AcceptedRevision,
  type NewPart,
} from './quote-part.repository.ts';
import { findLines, type QuoteLineRow, type QuoteRow } from './quote.repository.ts';

/** The delivery type where neither the call nor the customer has one, as the form of an invoice proposes it. */
const DEFAULT_DELIVERY_TYPE: DeliveryType = 'EMAIL';

/**
 * Makes the draft of an invoice of what an accepted quote has left (QUO-50 to QUO-56).
 * @throws AppError not_found, profile_incomplete, quote_state, quote_customer_deleted, unknown_quote_line,
 * quantity_in_pieces, quote_above_left, vat_rate_unknown
 */
export async function invoiceQuote(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
  body: QuoteInvoiceBody,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    // Lock order: the company first and then the quote, as in deleting and crediting invoices.
    await lockCompany(trx, companyId);
    const quote = await lockQuote(trx, companyId, uuid);
    requireState(quote, 'ACCEPTED', 'PARTLY_INVOICED');
    const issuer = await requireIssuer(trx, companyId);
    const { drafts, parts } = await planInvoice(config, trx, { issuer, quote, body });
    const [draft] = await createDrafts(trx, issuer, authorOf(actor), drafts);
    if (!draft) throw new Error('No draft was made');
    await insertParts(trx, quote, draft.id, parts);
    const details = {
      invoiceUuid: draft.uuid,
      netAmount: sumKroner(parts.map(({ net }) => oreToKroner(net))),
    };
    await recordQuoteEvent(trx, quote, authorOf(actor), { kind: 'INVOICED', details });
    return presentInvoice(draft, [], config);
  });
}

interface Given {
  readonly issuer: Issuer;
  readonly quote: QuoteRow;
  readonly body: QuoteInvoiceBody;
}

/** The draft to make, and the parts of the quote's lines that it takes. */
async function planInvoice(
  config: Context['config'],
  trx: Trx,
  { issuer, quote, body }: Given,
): Promise<{ readonly drafts: NewDrafts; readonly parts: NewPart[] }> {
  const accepted = await getAccepted(trx, quote);
  const { companyId } = quote;
  const customerIds = accepted.customerId === null ? [] : [accepted.customerId];
  const [customer] = await lockCustomersByIds(trx, companyId, customerIds);
  if (!customer) throw new AppError('quote_customer_deleted');
  const named = namedBy(quote, accepted);
  const wanted = planParts(await findLines(trx, quote), await findTaken(trx, quote), body);
  const { issueDate, dueDays, deliveryType } = body;
  const reference = accepted.reference ?? undefined;
  const terms = termsOfDraft({ issueDate: issueDate ?? todayInOslo(), reference }, issuer);
  const about = { quoteNumber: named.quoteNumber, hasUnits: config.features.has('units') };
  const lines = wanted.map(({ line, part, wish }) => lineOfPart(line, part, { ...about, wish }));
  return {
    drafts: {
      recipients: { customerNumbers: [customer.customerNumber], groupUuid: null },
      content: {
        deliveryType: deliveryType ?? customer.deliveryType ?? DEFAULT_DELIVERY_TYPE,
        dueDays: dueDays ?? customer.dueDays ?? DEFAULT_DUE_DAYS,
        lines: ratedOn(config, lines, terms.deliveryDate),
      },
      terms,
      quote: named,
    },
    parts: wanted.map(({ line, part: { share, net } }) => ({ lineId: line.id, share, net })),
  };
}

function namedBy(
  { uuid, quoteNumber }: QuoteRow,
  { priceKind, isPrivate, grossAmount }: AcceptedRevision,
): QuoteOfInvoice {
  if (quoteNumber === null) throw new Error('An accepted quote has a number');
  return {
    uuid,
    quoteNumber,
    estimate: priceKind === 'ESTIMATE' && isPrivate ? grossAmount : null,
  };
}

interface WantedPart {
  readonly line: QuoteLineRow;
  readonly part: Taken;
  readonly wish: PartWish;
}

const NOTHING = { share: 0n, net: 0 as Taken['net'] } satisfies Taken;

/** @throws AppError unknown_quote_line, quantity_in_pieces, quote_above_left */
function planParts(
  lines: readonly QuoteLineRow[],
  taken: ReadonlyMap<number, Taken>,
  { lines: wishes, percent }: Pick<QuoteInvoiceBody, 'lines' | 'percent'>,
): WantedPart[] {
  const takenOf = (line: QuoteLineRow) => taken.get(line.id) ?? NOTHING;
  const take = (line: QuoteLineRow, wish: PartWish): WantedPart => {
    const part = partOf(line, takenOf(line), wish);
    if (!part) throw new AppError('quote_above_left', { subject: line.description });
    return { line, part, wish };
  };
  if (wishes) return wishes.map((wish, index) => take(lineOf(lines, wish, index), wish));
  if (percent !== null) return lines.map((line) => take(line, { percent }));
  return lines.filter((line) => takenOf(line).share < wholeOf(line)).map((line) => take(line, {}));
}

function lineOf(
  lines: readonly QuoteLineRow[],
  { id, quantity }: NonNullable<QuoteInvoiceBody['lines']>[number],
  index: number,
): QuoteLineRow {
  const line = lines.find((one) => one.id === id);
  if (!line) throw new AppError('unknown_quote_line', { field: `lines[${index}].id`, subject: id });
  if (quantity !== null && line.unit === null && !Number.isInteger(quantity)) {
    throw new AppError('quantity_in_pieces', { field: `lines[${index}].quantity` });
  }
  return line;
}
