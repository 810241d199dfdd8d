import { addDays, type IsoDate } from '../../domain/date.ts';
import { queueInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import { acceptOffer, declineOffer } from '../../domain/quote/offer.endpoints.ts';
import { createQuote, invoiceQuote, sendQuote } from '../../domain/quote/quote.endpoints.ts';
import type { PriceKind } from '../../domain/quote/quote.state.ts';
import { WORKS } from './company.ts';
import type { Call } from './owner.ts';

interface Offer {
  readonly customer: number;
  readonly title: string;
  readonly priceKind: PriceKind;
  readonly lines: (typeof WORKS)[number];
  /** From the day on which it is written. */
  readonly validDays: number;
}

/** A sent quote; its uuid and its link's token are set once it is sent. */
interface Sent {
  quoteUuid: string;
  token: string;
}

const TERMS = 'Prisen forutsetter fri adkomst og strøm på stedet. Endringer avtales skriftlig.';

type On = (day: IsoDate, happen: () => Promise<unknown>) => void;

/** Plans quotes in each state that an owner meets. The last one is not sent yet. */
export function planQuotes(call: Call, today: IsoDate, on: On): void {
  const ago = (days: number) => addDays(today, -days);
  const send = (day: IsoDate, offer: Offer): Sent => {
    const sent: Sent = { quoteUuid: '', token: '' };
    on(day, async () => {
      sent.quoteUuid = await write(call, day, offer);
      const { url } = await call(sendQuote, { params: { quoteUuid: sent.quoteUuid }, body: {} });
      sent.token = /([a-z2-7]+)\/$/.exec(url ?? '')?.[1] ?? '';
    });
    return sent;
  };
  const fixed = { priceKind: 'FIXED', validDays: 30 } as const;
  const estimate = { priceKind: 'ESTIMATE', validDays: 30 } as const;
  send(ago(38), { ...fixed, customer: 3, title: 'Nytt kjøkken', lines: WORKS[1], validDays: 14 });
  const pier = { ...fixed, customer: 1, title: 'Brygge og terrasse', lines: WORKS[3] };
  const parted = send(ago(34), pier);
  const windows = { ...estimate, customer: 6, title: 'Vinduer i oppgangen', lines: WORKS[2] };
  const declined = send(ago(20), windows);
  const door = { ...fixed, customer: 5, title: 'Ny ytterdør', lines: WORKS[4] };
  const accepted = send(ago(8), door);
  send(ago(3), { ...estimate, customer: 8, title: 'Terrasse mot hagen', lines: WORKS[3] });
  const draft = { ...fixed, customer: 1, title: 'Vinduer i 2. etasje', lines: WORKS[2] };
  on(today, async () => write(call, today, draft));

  const accept = async (params: Sent, name: string) =>
    call(acceptOffer, { params, body: { revision: 1, name } });
  on(ago(31), async () => accept(parted, 'Per Ørsta'));
  on(ago(12), async () => invoicePart(call, ago(12), parted));
  const reason = 'Styret har valgt et annet firma denne gangen.';
  on(ago(16), async () => call(declineOffer, { params: declined, body: { revision: 1, reason } }));
  on(ago(5), async () => accept(accepted, 'Jonas Haugen'));
}

async function invoicePart(call: Call, issueDate: IsoDate, params: Sent): Promise<void> {
  const body = { percent: 40, issueDate };
  const { uuid: invoiceUuid } = await call(invoiceQuote, { params, body });
  await call(queueInvoices, { query: { invoiceUuid }, body: undefined });
}

/** Writes the draft of a quote and returns its uuid. */
async function write(
  call: Call,
  day: IsoDate,
  { customer, validDays, lines, ...offer }: Offer,
): Promise<string> {
  const body = {
    ...offer,
    customerNumber: customer,
    validUntil: addDays(day, validDays),
    terms: TERMS,
    lines: [...lines],
  };
  return (await call(createQuote, { body })).uuid;
}
