import type { ImportedCustomer } from '../../domain/customer/customer-import.schema.ts';
import {
  earlierRow,
  type Clash,
  type ReadRow,
  type Verdict,
} from '../platform/http/imported-rows.ts';
import type { ErrorCode } from '../errors.ts';
import type { CustomerRow } from './customer.repository.ts';

type Read = ReadRow<ImportedCustomer>;
type Field = 'customerNumber' | 'orgNumber' | 'email' | 'name' | 'isPrivate';
export type CustomerVerdict = Verdict<ImportedCustomer, CustomerRow, Field>;

/**
 * Matches rows with existing customers (IMP-2): by number alone if the row has one, else by organisation number, else by an
 * e-mail address that only one customer has.
 *
 * @param found every customer with one of the numbers, organisation numbers or addresses of the rows
 * @param updateKnown whether known customers are changed
 */
export function judgeRows(
  rows: readonly Read[],
  found: readonly CustomerRow[],
  updateKnown: boolean,
): CustomerVerdict {
  const judge = new Judge(found, updateKnown);
  for (const row of rows) judge.take(row);
  return judge;
}

type Match = { readonly before: CustomerRow; readonly by: Field } | 'several' | null;

class Judge implements CustomerVerdict {
  readonly added: Read[] = [];
  readonly known: { read: Read; before: CustomerRow }[] = [];
  readonly clashes: Clash<Field>[] = [];
  readonly #byNumber: ReadonlyMap<number, CustomerRow>;
  readonly #byOrgNumber: ReadonlyMap<string | null, CustomerRow[]>;
  readonly #byEmail: ReadonlyMap<string | null, CustomerRow[]>;
  readonly #updateKnown: boolean;
  readonly #rowOfNumber = new Map<number, number>();
  readonly #rowOfCustomer = new Map<number, number>();
  /** The row of each new customer, by organisation number. */
  readonly #rowOfOrgNumber = new Map<string, Read>();

  constructor(found: readonly CustomerRow[], updateKnown: boolean) {
    this.#updateKnown = updateKnown;
    this.#byNumber = new Map(found.map((customer) => [customer.customerNumber, customer]));
    this.#byOrgNumber = Map.groupBy(found, ({ orgNumber }) => orgNumber);
    this.#byEmail = Map.groupBy(found, ({ email }) => email);
  }

  take(read: Read): void {
    const match = this.#match(read);
    const { customerNumber } = read.values;
    const sameNumber = earlierRow(this.#rowOfNumber, customerNumber, read.row);
    if (sameNumber !== null) this.#clash(read, 'customerNumber', 'import_number_twice', sameNumber);
    else if (match === 'several') this.#clash(read, 'orgNumber', 'import_org_number_shared');
    else if (match) this.#takeKnown(read, match);
    else this.#takeNew(read);
  }

  #match({ values }: Read): Match {
    const { customerNumber, orgNumber, email } = values;
    if (customerNumber !== null) {
      // A number alone identifies a customer: members of a family or offices of a company share the rest.
      const before = this.#byNumber.get(customerNumber);
      return before ? { before, by: 'customerNumber' } : null;
    }
    const [same, other] = (orgNumber !== null && this.#byOrgNumber.get(orgNumber)) || [];
    if (same) return other ? 'several' : { before: same, by: 'orgNumber' };
    const [only, another] = (email !== null && this.#byEmail.get(email)) || [];
    // Several companies may share the e-mail address of their accountant.
    const isOther = orgNumber !== null && only?.orgNumber != null;
    return only && !another && !isOther ? { before: only, by: 'email' } : null;
  }

  #takeKnown(read: Read, { before, by }: Exclude<Match, 'several' | null>): void {
    const sameCustomer = earlierRow(this.#rowOfCustomer, before.id, read.row);
    if (sameCustomer !== null) this.#clash(read, by, 'import_customer_twice', sameCustomer);
    else this.known.push({ read, before });
    if (this.#updateKnown && isPrivateBusiness(read.values, before)) {
      this.#clash(read, 'isPrivate', 'import_private_business');
    }
  }

  #takeNew(read: Read): void {
    const { name, orgNumber, customerNumber } = read.values;
    const isFaulty = read.faults.some(({ field }) => field === 'name');
    if (name === null && !isFaulty) this.#clash(read, 'name', null);
    if (orgNumber !== null) {
      const first = this.#rowOfOrgNumber.get(orgNumber);
      // The next import could not distinguish them, unless both have numbers.
      const isMoot = customerNumber !== null && first?.values.customerNumber !== null;
      if (first && !isMoot) this.#clash(read, 'orgNumber', 'import_org_number_twice', first.row);
      else this.#rowOfOrgNumber.set(orgNumber, read);
    }
    this.added.push(read);
  }

  #clash({ row }: Read, field: Field, code: ErrorCode | null, repeats: number | null = null): void {
    this.clashes.push({ row, field, code, repeats });
  }
}

/** Whether a row and what is stored contradict each other (CUS-15). The row by itself has been checked. */
function isPrivateBusiness(row: ImportedCustomer, before: CustomerRow): boolean {
  if (!(row.isPrivate ?? before.isPrivate)) return false;
  return (
    (row.orgNumber ?? before.orgNumber) !== null ||
    (row.deliveryType ?? before.deliveryType) === 'EHF'
  );
}
