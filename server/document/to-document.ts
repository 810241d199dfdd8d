import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { termsOf } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Issuer } from '../company/profile.service.ts';

type Seller = Pick<Issuer, 'seller' | 'bankAccountNumber' | 'logo'>;

/** The document that an invoice is; `issuer` is who sells, unless the invoice has it frozen. */
export function toDocument(row: InvoiceRow, issuer: Seller): InvoiceDocument {
  return {
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    ...termsOf(row),
    kid: row.kid,
    kidModulus: row.kidModulus,
    bankAccountNumber: row.bankAccountNumber ?? issuer.bankAccountNumber,
    credits: creditsOf(row),
    seller: row.seller ?? issuer.seller,
    buyer: row.buyer,
    lines: row.lines.map(({ quantity, unit, description, netUnitAmount, vatRate }) => ({
      quantity,
      unit,
      description,
      netUnitAmount,
      vatRate,
    })),
    logo: issuer.logo,
  };
}

function creditsOf(row: InvoiceRow): InvoiceDocument['credits'] {
  if (row.originalNumber === null || row.originalIssueDate === null) return null;
  return { invoiceNumber: row.originalNumber, issueDate: row.originalIssueDate };
}
