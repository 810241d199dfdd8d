import type { Feature } from '../../domain/api/endpoint.ts';
import { amountDue, paymentDeadline, presentedOn } from '../../domain/invoice/claim.ts';
import type { CreditTrial } from '../../domain/invoice/credit.schema.ts';
import {
  type Invoice,
  type InvoiceBrief,
  type NumberOrUuid,
} from '../../domain/invoice/invoice.schema.ts';
import { lineGross, lineNet, presentLine } from '../../domain/invoice/invoice.totals.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Config } from '../config.ts';
import { fromJson, presentDelivery, type ListedDelivery } from '../delivery/delivery.rows.ts';
import type { LineRow, PresentedRow } from '../invoice/invoice.rows.ts';
import type { Db } from '../platform/db/database.ts';
import type { LeftOfLine } from './credit-plan.ts';
import { requireAnswerRow, type ListedRow } from './invoice-list.repository.ts';

/** An invoice as the API shows it. */
export function presentInvoice(
  row: PresentedRow,
  deliveries: readonly ListedDelivery[],
  { features }: Pick<Config, 'features'>,
): Invoice {
  const { buyer } = row;
  const hasCredit = features.has('credit');
  // Without spreading: a list then takes a tenth less of a processor.
  return {
    uuid: row.uuid,
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    customerNumber: buyer.customerNumber,
    currentCustomerNumber: row.currentCustomerNumber,
    customerName: buyer.name,
    customerIdentifier: buyer.orgNumber,
    customerIdentificationNumber: row.kid,
    kidModulus: row.kidModulus,
    status: row.status,
    deliveryType: row.deliveryType,
    deliveryStatus: row.deliveryStatus,
    paidDate: row.paidDate,
    issueDate: row.issueDate,
    dueDate: row.dueDate,
    deliveryDate: row.deliveryDate,
    reference: row.reference,
    message: row.message,
    deliveryCountry: features.has('vat') ? row.deliveryCountry : undefined,
    dueDays: row.dueDays,
    paymentDeadline: deadlineOf(row, deliveries),
    bankAccountNumber: row.bankAccountNumber,
    netAmount: oreToKroner(row.netAmount),
    vatAmount: oreToKroner(row.vatAmount),
    grossAmount: oreToKroner(row.grossAmount),
    paidAmount: oreToKroner(row.paidAmount),
    creditedAmount: hasCredit ? oreToKroner(row.creditedAmount) : undefined,
    creditNotes: hasCredit ? [...(row.notes ?? [])] : undefined,
    amountDue: oreToKroner(amountDue(row)),
    reminderAmount: oreToKroner(row.reminderAmount),
    disputed: row.disputed,
    disputedNote: row.disputedNote,
    creditNote: row.notes?.at(-1) ?? null,
    creditedInvoice: presentNumber(row.originalUuid, row.originalNumber),
    quote: features.has('quotes') ? quoteOf(row) : undefined,
    deliveries: deliveries.map(presentDelivery),
    version: row.version,
    lines: row.lines.map((line) => presentInvoiceLine(line, features)),
  };
}

function quoteOf({ sourceQuote }: PresentedRow): Invoice['quote'] {
  return sourceQuote && { uuid: sourceQuote.uuid, quoteNumber: sourceQuote.quoteNumber };
}

/** Null when no delivery asked anybody to pay. */
function deadlineOf(row: PresentedRow, deliveries: readonly ListedDelivery[]): string | null {
  const { kind, deliveryType, registeredOn, dueDate, dueDays } = row;
  if (kind === 'CREDIT_NOTE') return null;
  const since = presentedOn({ deliveryType, registeredOn, deliveries });
  return since === null ? null : paymentDeadline({ dueDate, dueDays, presentedOn: since });
}

/** An invoice in a list of many. */
export function presentBrief({ buyer, ...row }: PresentedRow): InvoiceBrief {
  return {
    uuid: row.uuid,
    status: row.status,
    customerNumber: buyer.customerNumber,
    customerName: buyer.name,
    customerIdentifier: buyer.orgNumber,
    netAmount: oreToKroner(row.netAmount),
    vatAmount: oreToKroner(row.vatAmount),
    grossAmount: oreToKroner(row.grossAmount),
  };
}

/** The rest of a line, which can still be credited. */
export function presentLeft({
  quantity,
  net,
}: Pick<LeftOfLine, 'quantity' | 'net'>): Pick<
  CreditTrial['lines'][number],
  'quantityLeft' | 'netLeft'
> {
  return { quantityLeft: quantity, netLeft: oreToKroner(net) };
}

function presentNumber(uuid: string | null, invoiceNumber: number | null): Invoice['creditNote'] {
  return uuid === null || invoiceNumber === null ? null : { uuid, invoiceNumber };
}

function presentInvoiceLine(
  line: LineRow,
  features: ReadonlySet<Feature>,
): Invoice['lines'][number] {
  return {
    id: line.id,
    ...presentLine(line, features),
    netAmount: oreToKroner(lineNet(line)),
    grossAmount: oreToKroner(lineGross(line)),
  };
}

/** An invoice or credit note as the API shows it. @throws AppError not_found */
export async function describeInvoice(
  { config, db }: { readonly config: Pick<Config, 'features'>; readonly db: Db },
  companyId: number,
  name: NumberOrUuid,
): Promise<Invoice> {
  return describe(await requireAnswerRow(db, companyId, name), config);
}

/** As the API shows it. */
export function describe(row: ListedRow, config: Pick<Config, 'features'>): Invoice {
  return presentInvoice(row, row.deliveries.map(fromJson), config);
}
