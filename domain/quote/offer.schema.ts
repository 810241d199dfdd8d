import { z } from 'zod/mini';

import { attachment } from '../attachment/attachment.schema.ts';
import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { optional, optionalOr, wholeNumber } from '../api/validation.ts';
import { dateText, todayInOslo } from '../date.ts';
import { countedLine } from '../invoice/invoice-line.schema.ts';
import { linkSeller } from '../link-seller.ts';
import { unprintableIn } from '../printable.ts';
import { codeForm } from '../session/session.schema.ts';
import { requiredText, statedMultilineText } from '../text.ts';
import { vatOfLine } from '../vat-treatment.ts';
import { PRICE_KINDS } from './quote.state.ts';

/** Longest name of who accepts, and longest reason or note (QUO-34). */
export const ANSWER_NAME_LENGTH = 100;
export const ANSWER_NOTE_LENGTH = 1000;

/** The states of a quote at its link: what was invoiced is not told there (QUO-32). */
const OFFER_STATES = ['SENT', 'EXPIRED', 'ACCEPTED', 'DECLINED', 'WITHDRAWN'] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/** The secret of a link; whatever it is, it is looked up. */
export const offerParams = z.object({ token: z.string() });

/** A quote as its customer sees it: the newest revision that was sent (QUO-32). Sums are in kroner. */
export const offer = described(
  z.object({
    seller: linkSeller,
    customerName: z.string(),
    quoteNumber: z.int(),
    revision: described(z.int(), 'To be named by an answer'),
    state: z.enum(OFFER_STATES),
    priceKind: z.enum(PRICE_KINDS),
    title: z.nullable(z.string()),
    issueDate: described(z.iso.date(), 'The day on which it was sent, in Oslo'),
    validUntil: described(z.iso.date(), 'The last day on which it can be accepted'),
    message: z.nullable(z.string()),
    terms: z.nullable(z.string()),
    lines: z.array(
      z.object({
        ...countedLine,
        description: z.string(),
        netUnitAmount: described(z.number(), 'Without VAT'),
        netAmount: described(z.number(), 'Without VAT'),
        ...vatOfLine,
      }),
    ),
    netAmount: z.number(),
    vatAmount: z.number(),
    grossAmount: z.number(),
    confirmByCode: described(z.boolean(), 'Accepting needs a mailed code'),
    pdf: described(z.string(), 'Path below the link'),
    attachments: z.array(
      z.object({
        name: z.string(),
        mediaType: attachment.shape.mediaType,
        size: attachment.shape.size,
        path: described(z.string(), 'Below the link; served as a file to save'),
      }),
    ),
    answeredAt: z.nullable(z.iso.datetime()),
    answeredBy: described(
      z.nullable(z.string()),
      'The name that was given; null of a decline here',
    ),
  }),
  { id: 'Offer' },
);
export type Offer = z.infer<typeof offer>;

const revision = described(
  wholeNumber().check(z.positive()),
  'The revision that is answered: 409 when another is the newest',
);

/** A name that stands in the order confirmation, so that a font must have it. */
const answerName = requiredText(ANSWER_NAME_LENGTH).check(
  z.refine((name) => unprintableIn(name).length === 0, rule('{0} is invalid')),
);

/** An optional text of several lines. */
const answerNote = z.pipe(
  statedMultilineText(ANSWER_NOTE_LENGTH),
  z.transform((text) => text ?? null),
);

/** Accepting at the link (QUO-34). */
export const offerAcceptance = z.object({
  revision,
  name: answerName,
  code: described(optional(codeForm.shape.registrationToken), 'With confirm_by_code'),
});
export type OfferAcceptance = z.output<typeof offerAcceptance>;

/** Declining at the link (QUO-36). */
export const offerDecline = z.object({ revision, reason: answerNote });
export type OfferDecline = z.output<typeof offerDecline>;

/** An acceptance that the customer gave elsewhere (QUO-40). */
export const quoteAcceptance = z.object({
  name: answerName,
  date: described(
    optional(
      dateText().check(
        z.refine((date) => date <= todayInOslo(), rule('{0} must not be after today')),
      ),
    ),
    'When it was accepted; today when absent',
  ),
  note: answerNote,
  sendConfirmation: described(
    optionalOr(z.boolean(), false),
    'Whether the order confirmation is mailed to the customer',
  ),
});
export type QuoteAcceptance = z.output<typeof quoteAcceptance>;

export const quoteDecline = z.object({ note: answerNote });
export type QuoteDecline = z.output<typeof quoteDecline>;
