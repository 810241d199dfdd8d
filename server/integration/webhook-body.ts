import { toWireText } from '../../domain/api/case.ts';
import type { EventType, MessageType } from '../../domain/integration/webhook.schema.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import type { EventRow } from './webhook-event.repository.ts';

type Details = EventRow['details'];
type Data = Readonly<Record<string, unknown>>;

/** The data of each type of event, in camelCase (INT-20). */
const DATA: Readonly<Record<EventType, (event: EventRow) => Data>> = {
  'invoice.registered': ({ invoice }) => ({
    ...named({ invoice }),
    kind: invoice?.kind,
    customerNumber: invoice?.customerNumber,
    grossAmount: oreToKroner(invoice?.grossAmount ?? ore(0)),
    dueDate: invoice?.dueDate,
  }),
  'invoice.sent': delivered,
  'invoice.failed': (event) => ({ ...delivered(event), reason: event.details['reason'] }),
  'invoice.paid': (event) => ({ ...named(event), paidDate: event.details['paidDate'] }),
  'invoice.unpaid': (event) => ({ ...named(event), paidDate: null }),
  'invoice.credited': (event) => {
    const note = event.details['creditNote'] as Details;
    return {
      ...named(event),
      creditNoteUuid: note['uuid'],
      creditNoteNumber: note['invoiceNumber'],
      creditedAmount: oreToKroner(event.noteAmount ?? ore(0)),
    };
  },
  'payment.received': ({ invoice, details }) => ({
    paymentUuid: details['uuid'],
    invoiceUuid: invoice?.uuid ?? null,
    amount: kroner(details['amount']),
    date: details['date'],
    source: details['source'],
  }),
  'reminder.sent': ({ invoice, details }) => ({
    invoiceUuid: invoice?.uuid,
    reminderUuid: details['uuid'],
    kind: details['kind'],
    amount: kroner(details['amount']),
  }),
  'quote.sent': ofQuote,
  'quote.accepted': ofQuote,
  'quote.declined': ofQuote,
};

function named({ invoice }: Pick<EventRow, 'invoice'>): Data {
  return { invoiceUuid: invoice?.uuid, invoiceNumber: invoice?.number };
}

function delivered(event: EventRow): Data {
  const { uuid, deliveryType } = event.details;
  return { ...named(event), deliveryUuid: uuid, deliveryType };
}

function ofQuote({ quote, details }: EventRow): Data {
  return {
    quoteUuid: quote?.uuid,
    quoteNumber: quote?.number,
    revision: details['revision'],
    grossAmount: kroner(details['grossAmount']),
  };
}

/** Kroner of an amount in øre that a trigger wrote. */
function kroner(amount: unknown): number {
  return oreToKroner(ore(Number(amount)));
}

/** The body of an event's message (INT-19). */
export function bodyOf(event: EventRow, companyUuid: string): string {
  return toBody(event.type, event.at, companyUuid, DATA[event.type](event));
}

/** The body of a test. */
export function testBody(companyUuid: string): string {
  return toBody('webhook.test', new Date(), companyUuid, { hello: 'Faktur' });
}

function toBody(type: MessageType, at: Date, companyUuid: string, data: Data): string {
  return toWireText({ type, timestamp: at.toISOString(), companyUuid, data });
}
