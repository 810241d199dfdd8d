import { maySellerUse, treatmentOf, type VatTreatment } from '../../domain/vat-treatment.ts';
import { HOME_COUNTRY } from '../../domain/country.ts';
import { vatNumberOf } from '../../domain/parties.ts';
import type { Config } from '../config.ts';
import { findVatNumbers } from '../customer/customer.repository.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import type { InvoiceRow } from './invoice.rows.ts';

/** The facts about a buyer that some VAT treatments demand (VAT-6). */
interface BuyerVat {
  readonly country: string;
  readonly vatNumber: string | null;
}

/** The buyers of drafts, by customer id. */
export type BuyersVat = ReadonlyMap<number, BuyerVat>;

/** Reads the buyers of those drafts that have a line with such a treatment. */
export async function findBuyersVat(
  db: Db,
  companyId: number,
  drafts: readonly InvoiceRow[],
): Promise<BuyersVat> {
  const ids = drafts
    .filter(({ kind, lines }) => kind === 'INVOICE' && lines.some(isDemanding))
    .flatMap(({ customerId }) => customerId ?? []);
  if (ids.length === 0) return new Map();
  const customers = await findVatNumbers(db, companyId, ids);
  return new Map(
    [...customers].map(([id, customer]) => [
      id,
      { country: customer.country, vatNumber: vatNumberOf(customer) },
    ]),
  );
}

function isDemanding({ vatTreatment }: { readonly vatTreatment: VatTreatment }): boolean {
  return treatmentOf(vatTreatment).needs !== null;
}

/** The buyer's VAT number as the document states it: where a line demands it. */
export function buyerVatNumberOf(draft: InvoiceRow, buyers: BuyersVat): string | null {
  // A credit note has the number of its invoice.
  if (draft.kind === 'CREDIT_NOTE') return draft.buyerVatNumber;
  const isAsked = draft.lines.some(
    ({ vatTreatment }) => treatmentOf(vatTreatment).needs === 'BUYER_VAT_NUMBER',
  );
  return isAsked ? (buyers.get(draft.customerId ?? 0)?.vatNumber ?? null) : null;
}

/** Why the lines of a draft cannot be registered, or null: VAT-5, VAT-6. A credit note reverses what was issued. */
export function findVatObstacle(
  { features }: Pick<Config, 'features'>,
  draft: InvoiceRow,
  vatRegistered: boolean,
  buyers: BuyersVat,
): AppError | null {
  if (!features.has('vat') || draft.kind === 'CREDIT_NOTE') return null;
  const buyer = buyers.get(draft.customerId ?? 0);
  for (const [index, { vatTreatment }] of draft.lines.entries()) {
    const code = codeFor(vatTreatment, { draft, vatRegistered, buyer });
    if (code) {
      const subject = `${index + 1} (${treatmentOf(vatTreatment).label})`;
      return new AppError(code, { subject });
    }
  }
  return null;
}

interface Facts {
  readonly draft: InvoiceRow;
  readonly vatRegistered: boolean;
  readonly buyer: BuyerVat | undefined;
}

function codeFor(
  treatment: VatTreatment,
  { draft, vatRegistered, buyer }: Facts,
): ErrorCode | null {
  if (!maySellerUse(treatment, vatRegistered)) {
    return vatRegistered ? 'line_not_registered' : 'line_registered';
  }
  const { needs } = treatmentOf(treatment);
  const countries = [draft.deliveryCountry ?? HOME_COUNTRY, buyer?.country ?? HOME_COUNTRY];
  if (needs === 'FOREIGN_COUNTRY' && countries.every((code) => code === HOME_COUNTRY)) {
    return 'line_needs_country';
  }
  if (needs === 'BUYER_VAT_NUMBER' && (buyer?.vatNumber ?? null) === null) {
    return 'line_needs_vat_number';
  }
  return null;
}
