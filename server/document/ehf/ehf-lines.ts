import type { InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import { type VatRate, DEFAULT_UNIT } from '../../../domain/invoice/invoice-line.schema.ts';
import {
  invoiceTotals,
  lineNet,
  type InvoiceLine,
} from '../../../domain/invoice/invoice.totals.ts';
import { ore } from '../../../domain/money.ts';
import { amount, VAT_SCHEME, type XmlContent } from './ubl.ts';
import { requiredXmlText } from '../../platform/xml/xml-text.ts';

// Printed by the receiver's system beside the category O.
const NOT_REGISTERED = 'Selger er ikke registrert i Merverdiavgiftsregisteret';

/** The VAT of each rate and their sum, as invoiceTotals has them. */
export function taxTotal({ lines, seller }: InvoiceDocument): XmlContent {
  const totals = invoiceTotals(lines);
  return {
    'cbc:TaxAmount': amount(totals.vat),
    'cac:TaxSubtotal': totals.subtotals.map((part) => ({
      'cbc:TaxableAmount': amount(part.net),
      'cbc:TaxAmount': amount(part.vat),
      'cac:TaxCategory': {
        ...category(part.vatRate, seller.vatRegistered),
        'cbc:TaxExemptionReason': seller.vatRegistered ? null : NOT_REGISTERED,
        'cac:TaxScheme': VAT_SCHEME,
      },
    })),
  };
}

/** The document's sums, as invoiceTotals has them. */
export function monetaryTotal({ lines }: InvoiceDocument): XmlContent {
  const { net, gross } = invoiceTotals(lines);
  return {
    'cbc:LineExtensionAmount': amount(net),
    'cbc:TaxExclusiveAmount': amount(net),
    'cbc:TaxInclusiveAmount': amount(gross),
    'cbc:PayableAmount': amount(gross),
  };
}

/** The lines, with the element names of an invoice or of a credit note. */
export function documentLines({ kind, lines, seller }: InvoiceDocument): XmlContent {
  const [element, quantityElement] =
    kind === 'INVOICE'
      ? (['cac:InvoiceLine', 'cbc:InvoicedQuantity'] as const)
      : (['cac:CreditNoteLine', 'cbc:CreditedQuantity'] as const);
  return {
    [element]: lines.map((line, index) => ({
      'cbc:ID': String(index + 1),
      [quantityElement]: {
        '@unitCode': line.unit ?? DEFAULT_UNIT,
        '#': String(signedQuantity(line)),
      },
      'cbc:LineExtensionAmount': amount(lineNet(line)),
      'cac:Item': {
        'cbc:Name': requiredXmlText(line.description),
        'cac:ClassifiedTaxCategory': {
          ...category(line.vatRate, seller.vatRegistered),
          'cac:TaxScheme': VAT_SCHEME,
        },
      },
      'cac:Price': { 'cbc:PriceAmount': amount(ore(Math.abs(line.netUnitAmount))) },
    })),
  };
}

/** A price may not be negative (BR-27), so a discount is a negative quantity. */
function signedQuantity(line: InvoiceLine): number {
  return line.netUnitAmount < 0 ? -line.quantity : line.quantity;
}

/**
 * The VAT category (UNCL 5305): S at a rate, Z at 0 %, O outside the tax, which has no rate at all
 * (BR-O-05).
 */
function category(vatRate: VatRate, vatRegistered: boolean): XmlContent {
  if (!vatRegistered) return { 'cbc:ID': 'O' };
  return { 'cbc:ID': vatRate === 0 ? 'Z' : 'S', 'cbc:Percent': String(vatRate) };
}
