import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { deliveryType } from '../delivery/delivery.schema.ts';
import { customerEhf, REACHABILITIES } from '../ehf/ehf.schema.ts';
import { DUTY_REASONS, VERDICTS } from './einvoice-duty.ts';

/** Why the network gave no answer: none in time, an error of the name server, or a faulty one of the publisher. */
const NO_ANSWER_CAUSES = ['TIMEOUT', 'DNS', 'PUBLISHER'] as const;
export type NoAnswerCause = (typeof NO_ANSWER_CAUSES)[number];

const OUTCOMES = [...REACHABILITIES, 'NOT_ASKED'] as const;

const CAUSES = [...NO_ANSWER_CAUSES, 'INVALID_NUMBER'] as const;

const DOCUMENT_TYPES = ['INVOICE', 'CREDIT_NOTE'] as const;

/** The network's answer about the buyer of one document. */
const evidence = described(
  z.object({
    outcome: described(
      z.enum(OUTCOMES),
      'UNKNOWN: the network did not answer; it is asked again for a day. NOT_ASKED: the operator has named no network',
    ),
    participant: described(z.string(), "Such as '0192:974760673'"),
    documentType: z.enum(DOCUMENT_TYPES),
    network: described(
      z.nullable(z.enum(['test', 'production'])),
      'An answer of the test network proves nothing',
    ),
    publisher: described(z.nullable(z.string()), 'The host that answered for the receiver'),
    cause: z.nullable(z.enum(CAUSES)),
    askedAt: described(
      z.nullable(z.iso.datetime()),
      'When the network was asked, which may be before the registering; null where it was not',
    ),
  }),
  { id: 'EInvoiceEvidence' },
);

const duty = described(
  z.boolean(),
  'Whether the law of 2027 asks for an e-invoice, as far as Faktur knows',
);
const reason = z.enum(DUTY_REASONS);
const verdict = described(
  z.nullable(z.enum(VERDICTS)),
  'null for a draft, and where the buyer is private, abroad or without a number',
);

/** The part of an invoice about e-invoices, where it is read by itself. */
export const invoiceEInvoice = described(
  z.object({
    duty,
    reason,
    willBeSentAs: described(
      z.nullable(deliveryType),
      'Of a draft: its delivery type, or EHF where that comes first and the customer is known to receive it. null once registered',
    ),
    verdict,
    evidence: described(z.nullable(evidence), 'The first definite answer, else the last'),
  }),
  { id: 'InvoiceEInvoice' },
);

/** All evidence about one document. */
export const documentEInvoice = described(
  z.object({
    duty,
    reason,
    verdict,
    evidence: z.nullable(evidence),
    asked: described(z.array(evidence), 'Each answer, newest first'),
  }),
  { id: 'DocumentEInvoice' },
);

export type Evidence = z.infer<typeof evidence>;
export type InvoiceEInvoice = z.infer<typeof invoiceEInvoice>;
export type DocumentEInvoice = z.infer<typeof documentEInvoice>;

/** The reasons for telling the owner about the law. */
const BANNERS = ['NO_AGREEMENT', 'REQUESTED', 'NO_ACCESS_POINT'] as const;

const choices = {
  exempt: described(z.boolean(), 'Turnover below 50 000 kroner a year, as the company says'),
  ehfFirst: described(z.boolean(), 'Send EHF, in place of e-mail, to businesses that receive it'),
};

export const einvoiceSettings = described(
  z.object({
    ...choices,
    dutyFrom: z.iso.date(),
    businessCustomers: described(z.int(), 'Norwegian customers with a number'),
    reachableCustomers: described(
      z.int(),
      'Those of them that the network last knew to receive EHF',
    ),
    banner: z.nullable(z.enum(BANNERS)),
  }),
  { id: 'EInvoiceSettings' },
);

export const einvoiceSettingsForm = z.object(choices);

/** Customers are checked again at the earliest after this time (milliseconds). */
export const CHECK_PAUSE = 60 * 60_000;

export const ehfCheck = described(
  z.object({
    state: z.enum(['WORKING', 'DONE']),
    total: z.int(),
    asked: z.int(),
    reachable: z.int(),
    cannot: z.int(),
    unknown: z.int(),
    startedAt: z.iso.datetime(),
    finishedAt: z.nullable(z.iso.datetime()),
  }),
  { id: 'EhfCheck' },
);

/** The newest answer about each customer, however old. */
export const customersEhf = z.array(
  described(z.object({ customerNumber: z.int(), ...customerEhf.shape }), { id: 'CustomersEhf' }),
);

export type EInvoiceSettings = z.infer<typeof einvoiceSettings>;
export type EInvoiceSettingsForm = z.output<typeof einvoiceSettingsForm>;
export type EhfCheck = z.infer<typeof ehfCheck>;
export type CustomersEhf = z.infer<typeof customersEhf>;
