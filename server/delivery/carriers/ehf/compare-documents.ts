import { readXml } from './read-xml.ts';

/** The elements that must be equal in our document and the transmitted one, by path. */
const COMPARED: Readonly<Record<string, string>> = {
  ID: 'number',
  IssueDate: 'issue date',
  DueDate: 'due date',
  'TaxTotal/TaxAmount': 'VAT',
  'TaxTotal/TaxSubtotal/TaxableAmount': 'sum without VAT of a rate',
  'TaxTotal/TaxSubtotal/TaxAmount': 'VAT of a rate',
  'LegalMonetaryTotal/TaxExclusiveAmount': 'sum without VAT',
  'LegalMonetaryTotal/TaxInclusiveAmount': 'sum with VAT',
  'LegalMonetaryTotal/PayableAmount': 'amount to pay',
  'PaymentMeans/PaymentID': 'KID',
  'PaymentMeans/PayeeFinancialAccount/ID': 'account',
  'AccountingSupplierParty/Party/EndpointID': 'seller',
  'AccountingCustomerParty/Party/EndpointID': 'buyer',
  'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID': 'VAT number or Foretaksregisteret',
};
const IS_AMOUNT = /Amount$/;

/**
 * How a document that an access point has made anew differs from ours. What is printed is its affair;
 * numbers, sums, KID, account and Foretaksregisteret are ours.
 *
 * @returns in words, empty when all is the same
 */
export function findDifferences(ours: string, theirs: string): string[] {
  const own = read(ours);
  const other = readOrNull(theirs);
  if (!other) return ['what was transmitted cannot be read'];
  return Object.entries(COMPARED).flatMap(([path, name]) => {
    const [expected, found] = [own.get(path), other.get(path)].map((values) =>
      (values ?? []).toSorted().join(', '),
    );
    return expected === found ? [] : [`${name}: ${expected || 'none'} became ${found || 'none'}`];
  });
}

function readOrNull(xml: string): Map<string, string[]> | null {
  try {
    return read(xml);
  } catch {
    return null;
  }
}

/** The texts of the compared elements, by path below the root. @throws Error when it is no XML */
function read(xml: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  readXml(xml, ({ path, text }) => {
    const name = path.slice(1).join('/');
    if (!Object.hasOwn(COMPARED, name)) return;
    const value = IS_AMOUNT.test(name) ? Number(text).toFixed(2) : text;
    values.set(name, [...(values.get(name) ?? []), value]);
  });
  return values;
}
