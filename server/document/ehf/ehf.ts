import { create } from 'xmlbuilder2';

import type { InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import { documentLines, monetaryTotal, taxTotal } from './ehf-lines.ts';
import { EhfNotPossible, type EhfObstacle } from '../../platform/http/ehf-not-possible.ts';
import { customerParty, supplierParty } from './ehf-party.ts';
import { identified, type XmlContent } from './ubl.ts';
import { requiredXmlText, xmlNote, xmlText } from '../../platform/xml/xml-text.ts';

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const COMMON_NAMESPACES = {
  '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
  '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
};

/** UN/ECE 4461: credit transfer. */
const CREDIT_TRANSFER = '30';

/**
 * A registered invoice or credit note as EHF Billing 3.0 (Peppol BIS Billing 3.0 in UBL 2.1).
 * Amounts are those of invoiceTotals, to the øre. The same document always gives the same text.
 *
 * @throws EhfNotPossible when the document cannot be said in EHF
 */
export function renderEhf(document: InvoiceDocument): string {
  assertPossible(document);
  const root = document.kind === 'INVOICE' ? 'Invoice' : 'CreditNote';
  const content: XmlContent = {
    '@xmlns': `${UBL}:${root}-2`,
    ...COMMON_NAMESPACES,
    ...header(document),
    'cac:AccountingSupplierParty': supplierParty(document.seller),
    'cac:AccountingCustomerParty': customerParty(document.buyer),
    'cac:Delivery': { 'cbc:ActualDeliveryDate': document.deliveryDate },
    ...payment(document),
    'cac:TaxTotal': taxTotal(document),
    'cac:LegalMonetaryTotal': monetaryTotal(document),
    ...documentLines(document),
  };
  return create({ version: '1.0', encoding: 'UTF-8' }, { [root]: content }).end();
}

/** Why a document has no EHF, without making it; null when it can have one. */
export function findEhfObstacle(document: InvoiceDocument): EhfObstacle | null {
  try {
    assertPossible(document);
    supplierParty(document.seller);
    customerParty(document.buyer);
    return null;
  } catch (error) {
    if (error instanceof EhfNotPossible) return error.code;
    throw error;
  }
}

function assertPossible({ invoiceNumber, kind, credits, seller, lines }: InvoiceDocument): void {
  if (invoiceNumber === null) throw new EhfNotPossible('draft');
  if (lines.length === 0) throw new EhfNotPossible('no_lines');
  if (kind === 'CREDIT_NOTE' && credits === null) throw new EhfNotPossible('no_original');
  // Category O carries no tax (BR-O-09), and S would claim a VAT number that does not exist. To
  // leave the VAT out would ask for another amount than the invoice does.
  if (!seller.vatRegistered && lines.some((line) => line.vatRate !== 0)) {
    throw new EhfNotPossible('vat_without_registration');
  }
}

function header(document: InvoiceDocument): XmlContent {
  const isInvoice = document.kind === 'INVOICE';
  return {
    'cbc:CustomizationID': CUSTOMIZATION,
    'cbc:ProfileID': PROFILE,
    'cbc:ID': String(document.invoiceNumber),
    'cbc:IssueDate': document.issueDate,
    'cbc:DueDate': isInvoice ? document.dueDate : null,
    ...(isInvoice ? { 'cbc:InvoiceTypeCode': '380' } : { 'cbc:CreditNoteTypeCode': '381' }),
    // One at most (PEPPOL-EN16931-R002).
    'cbc:Note': xmlNote(document.message),
    'cbc:DocumentCurrencyCode': 'NOK',
    // R003 asks for this or an order; the customer number is what we and the buyer both know.
    'cbc:BuyerReference':
      xmlText(document.reference) ?? requiredXmlText(String(document.buyer.customerNumber)),
    'cac:BillingReference': document.credits && {
      'cac:InvoiceDocumentReference': {
        ...identified(String(document.credits.invoiceNumber)),
        'cbc:IssueDate': document.credits.issueDate,
      },
    },
  };
}

/** How an invoice is paid (DOC-20). A credit note asks for nothing, so it names no account. */
function payment({ kind, kid, kidModulus, bankAccountNumber }: InvoiceDocument): XmlContent {
  if (kind === 'CREDIT_NOTE') return { 'cac:PaymentTerms': { 'cbc:Note': 'Beløpet krediteres' } };
  return {
    'cac:PaymentMeans': {
      'cbc:PaymentMeansCode':
        kidModulus === null ? CREDIT_TRANSFER : { '@name': 'KID', '#': CREDIT_TRANSFER },
      'cbc:PaymentID': kid,
      // Without a bank's BIC: the account number is a Norwegian one (BR-61).
      'cac:PayeeFinancialAccount': identified(bankAccountNumber),
    },
  };
}
