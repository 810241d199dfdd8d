import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Buyer } from '../../domain/invoice/invoice-document.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { lineGross, lineNet } from '../../domain/invoice/invoice.totals.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { LineRow, ListedRow } from './invoice.rows.ts';

/** The rows that make up one invoice on the API. */
export interface InvoiceParts {
  readonly row: ListedRow;
  /** The buyer frozen with the invoice or, for a draft, the customer as it is now. */
  readonly buyer: Buyer;
  readonly lines: readonly LineRow[];
  readonly deliveries: readonly Delivery[];
}

/** An invoice as the API shows it. Amounts in kroner. */
export function toInvoice({ row, buyer, lines, deliveries }: InvoiceParts): Invoice {
  return {
    uuid: row.uuid,
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    customerNumber: buyer.customerNumber,
    customerName: buyer.name,
    customerIdentifier: buyer.orgNumber,
    customerIdentificationNumber: row.kid,
    status: row.status,
    deliveryType: row.deliveryType,
    deliveryStatus: row.deliveryStatus,
    paidDate: row.paidDate,
    issueDate: row.issueDate,
    dueDays: row.dueDays,
    dueDate: row.dueDate,
    deliveryDate: row.deliveryDate,
    reference: row.reference,
    bankAccountNumber: row.bankAccountNumber,
    netAmount: oreToKroner(row.netAmount),
    vatAmount: oreToKroner(row.vatAmount),
    grossAmount: oreToKroner(row.grossAmount),
    creditNote: numbered(row.noteUuid, row.noteNumber),
    creditedInvoice: numbered(row.originalUuid, row.originalNumber),
    deliveries: [...deliveries],
    lines: lines.map(toLine),
  };
}

function numbered(uuid: string | null, invoiceNumber: number | null): Invoice['creditNote'] {
  return uuid === null || invoiceNumber === null ? null : { uuid, invoiceNumber };
}

function toLine(line: LineRow): Invoice['lines'][number] {
  return {
    id: line.id,
    invoicedQuantity: line.quantity,
    description: line.description,
    netUnitAmount: oreToKroner(line.netUnitAmount),
    netAmount: oreToKroner(lineNet(line)),
    vatRatePercentage: line.vatRate,
    grossAmount: oreToKroner(lineGross(line)),
  };
}
