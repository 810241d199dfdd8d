import { addDays, type IsoDate } from '../../domain/date.ts';
import { createQuote, sendQuote } from '../../domain/quote/quote.endpoints.ts';
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

/** Quotes: one that has expired, one that waits for its answer, and one that is not sent yet. */
export function planQuotes(
  call: Call,
  today: IsoDate,
  on: (day: IsoDate, happen: () => Promise<unknown>) => void,
): void {
  const send = (day: IsoDate, offer: Offer) =>
    on(day, async () => {
      const quoteUuid = await write(call, day, offer);
      await call(sendQuote, { params: { quoteUuid }, body: {} });
    });
  send(addDays(today, -38), {
    customer: 3,
    title: 'Nytt kjøkken',
    priceKind: 'FIXED',
    lines: WORKS[1],
    validDays: 14,
  });
  send(addDays(today, -3), {
    customer: 8,
    title: 'Terrasse mot hagen',
    priceKind: 'ESTIMATE',
    lines: WORKS[3],
    validDays: 30,
  });
  const offer = { customer: 1, title: 'Vinduer i 2. etasje', lines: WORKS[2], validDays: 30 };
  on(today, async () => write(call, today, { ...offer, priceKind: 'FIXED' }));
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
    lines: [...lines],
  };
  return (await call(createQuote, { body })).uuid;
}
