import packageFile from '../../../package.json' with { type: 'json' };
import { todayInOslo } from '../../../domain/date.ts';
import type { ExportAccounts } from '../../../domain/export/export-settings.schema.ts';
import type { VoucherCustomer } from '../../../domain/export/claim.ts';
import type { Posting } from '../../../domain/export/journal.ts';
import { ore, oreToDecimal, type Ore } from '../../../domain/money.ts';
import {
  treatmentOf,
  VAT_TREATMENT_NAMES,
  vatRateOn,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import type { AccountBalance, Books, CustomerBalance } from '../books.ts';
import { element, textElement } from './xml.ts';

/** Facts about all vouchers of the file. */
export interface LedgerSums {
  readonly count: number;
  readonly debit: Ore;
  readonly firstDate: string | null;
  /** A posting of each tax code that is used. */
  readonly taxCodes: Map<string, Posting>;
}

const COMMENT = 'Bare salg, innbetalinger og kunder fra Faktur';

/** The start of an audit file: who made it, of which company and period. */
export function header(books: Books, { firstDate }: LedgerSums): string | null {
  const { scope, seller, madeAt, madeBy } = books;
  return element(
    'Header',
    element('AuditFileVersion', '1.30'),
    element('AuditFileCountry', 'NO'),
    element('AuditFileDateCreated', todayInOslo(new Date(madeAt))),
    element('SoftwareCompanyName', 'Faktur'),
    element('SoftwareID', 'Faktur'),
    textElement('SoftwareVersion', packageFile.version, 18),
    element(
      'Company',
      textElement('RegistrationNumber', seller.orgNumber, 35),
      textElement('Name', seller.name, 256),
      address(seller.address1, seller.address2, seller.city, seller.postalCode),
      element(
        'Contact',
        element(
          'ContactPerson',
          // As the schema demands for a name that is not split.
          element('FirstName', 'NotUsed'),
          textElement('LastName', seller.name, 70),
        ),
        textElement('Email', seller.email, 70),
      ),
      seller.vatRegistered
        ? element(
            'TaxRegistration',
            textElement('TaxRegistrationNumber', `${seller.orgNumber}MVA`, 35),
            element('TaxAuthority', 'Skatteetaten'),
          )
        : null,
    ),
    element('DefaultCurrencyCode', 'NOK'),
    element(
      'SelectionCriteria',
      element('SelectionStartDate', scope.from ?? firstDate ?? scope.to),
      element('SelectionEndDate', scope.to),
    ),
    element('HeaderComment', COMMENT),
    element('TaxAccountingBasis', 'A'),
    textElement('UserID', madeBy, 256),
  );
}

/** Accounts, customers and tax codes. */
export async function* masterFiles(books: Books, sums: LedgerSums): AsyncGenerator<string> {
  yield '<MasterFiles>';
  const accounts = await books.accounts();
  yield (
    element(
      'GeneralLedgerAccounts',
      ...accounts.map((account) => ledgerAccount(account, books.settings.accounts)),
    ) ?? ''
  );
  yield* customers(books);
  yield taxTable(sums) ?? '';
  yield '</MasterFiles>';
}

function ledgerAccount(
  { account, accountName, role, opening, closing }: AccountBalance,
  { income }: ExportAccounts,
): string | null {
  const treatment = VAT_TREATMENT_NAMES.find((name) => income[name] === account);
  const [category, code] = role === 'INCOME' ? salesGroup(treatment) : GROUPS[role];
  return element(
    'Account',
    textElement('AccountID', account, 70),
    textElement('AccountDescription', accountName, 256),
    element('GroupingCategory', category),
    element('GroupingCode', code),
    element('AccountType', 'GL'),
    ...balances(opening, closing),
  );
}

type Group = readonly [category: string, code: string];

/** GroupingCategory and GroupingCode of accounts, from Skatteetaten's list ('næringsspesifikasjon'). */
const GROUPS: Readonly<Record<Exclude<Posting['role'], 'INCOME'>, Group>> = {
  RECEIVABLES: ['balanseverdiForOmloepsmiddel', '1500'],
  BANK: ['balanseverdiForOmloepsmiddel', '1920'],
  // The list has no group for output VAT but the account of its settlement.
  VAT: ['kortsiktigGjeld', '2740'],
  FEE: ['annenDriftsinntekt', '3900'],
  INTEREST: ['finansinntekt', '8050'],
};

function salesGroup(treatment: VatTreatment = 'STANDARD'): Group {
  return ['salgsinntekt', SALES_GROUPS[treatment]];
}

const SALES_GROUPS: Readonly<Record<VatTreatment, string>> = {
  STANDARD: '3000',
  FOOD: '3000',
  REDUCED: '3000',
  EXEMPT: '3100',
  EXPORT: '3100',
  REVERSE: '3100',
  OUTSIDE: '3200',
  NOT_REGISTERED: '3200',
};

async function* customers(books: Books): AsyncGenerator<string> {
  let isOpen = false;
  const { receivables } = books.settings.accounts;
  for await (const part of books.customers()) {
    if (part.length === 0) continue;
    const opening = isOpen ? '' : '<Customers>';
    isOpen = true;
    yield opening + part.map((balance) => customer(balance, receivables)).join('');
  }
  if (isOpen) yield '</Customers>';
}

function customer(
  { customer: buyer, opening, closing }: CustomerBalance,
  receivables: string,
): string | null {
  return element(
    'Customer',
    textElement('RegistrationNumber', buyer.orgNumber, 35),
    textElement('Name', buyer.name, 256) ?? element('Name', 'Ukjent'),
    address(buyer.address1, buyer.address2, buyer.city, buyer.zipCode),
    customerId(buyer),
    element(
      'BalanceAccount',
      textElement('AccountID', receivables, 70),
      ...balances(opening, closing),
    ),
  );
}

/** The element with the id of a customer in the file. */
export function customerId({ customerNumber }: VoucherCustomer): string | null {
  return element('CustomerID', String(customerNumber));
}

function address(
  line1: string | null,
  line2: string | null,
  city: string | null,
  postalCode: string | null,
): string | null {
  return element(
    'Address',
    textElement('StreetName', line1, 256),
    textElement('AdditionalAddressDetail', line2, 256),
    textElement('City', city, 256),
    textElement('PostalCode', postalCode, 70),
  );
}

function balances(opening: Ore, closing: Ore): (string | null)[] {
  return [
    element(`Opening${opening < 0 ? 'Credit' : 'Debit'}Balance`, positive(opening)),
    element(`Closing${closing < 0 ? 'Credit' : 'Debit'}Balance`, positive(closing)),
  ];
}

function positive(signed: Ore): string {
  return oreToDecimal(ore(Math.abs(signed)));
}

/** Our own tax code of a posting: the standard code, with its rate where that is not today's. */
export function taxCodeOf({ vat }: Posting, standardCode: string): string {
  if (vat === null || vat.rate === vatRateOn(vat.treatment, LATEST)) return standardCode;
  return `${standardCode}-${vat.rate}`;
}

/** A day on which the latest rates hold. */
const LATEST = '9999-12-31';

function taxTable({ taxCodes }: LedgerSums): string | null {
  const codes = [...taxCodes].toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  return element(
    'TaxTable',
    codes.length === 0
      ? null
      : element(
          'TaxTableEntry',
          element('TaxType', 'MVA'),
          element('Description', 'Merverdiavgift'),
          ...codes.map(([code, posting]) => taxCode(code, posting)),
        ),
  );
}

function taxCode(code: string, { vat }: Posting): string | null {
  const treatment = vat?.treatment ?? 'NOT_REGISTERED';
  const { label, saftCode } = treatmentOf(treatment);
  const rate = vat?.rate ?? 0;
  return element(
    'TaxCodeDetails',
    textElement('TaxCode', code, 70),
    textElement('Description', code === saftCode ? label : `${rate} %`, 256),
    element('TaxPercentage', String(rate)),
    element('Country', 'NO'),
    element('StandardTaxCode', saftCode),
    element('BaseRate', '100'),
  );
}
