import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

import { wirePath } from '../../domain/api/case.ts';
import { validate } from '../../domain/api/validation.ts';
import {
  cellText,
  importedCustomer,
  type ImportedCustomer,
} from '../../domain/customer/customer-import.schema.ts';
import type { CustomerRow } from './customer.repository.ts';
import type { ErrorCode } from '../errors.ts';

/** Rows read before the event loop gets a turn: a few milliseconds. */
const READ_AT_ONCE = 250;

/** A row as far as it can be read, with its own faults. */
export interface ReadRow {
  /** From 1. */
  readonly row: number;
  readonly customer: ImportedCustomer;
  readonly faults: readonly { readonly field: string; readonly message: string }[];
}

/** A conflict of a row with other rows or with existing customers. */
export interface Clash {
  readonly row: number;
  readonly field: 'customerNumber' | 'orgNumber' | 'email' | 'name' | 'isPrivate';
  readonly code: ErrorCode | null;
  readonly repeats: number | null;
}

/** The judgement of all rows. */
export interface Verdict {
  readonly added: readonly ReadRow[];
  readonly known: readonly { readonly read: ReadRow; readonly before: CustomerRow }[];
  readonly clashes: readonly Clash[];
}

/** Reads rows one by one. A faulty field counts as empty, so that all faults are found at once (IMP-4). */
export async function readRows(
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadRow[]> {
  const read: ReadRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % READ_AT_ONCE === 0) await nextTurnOfTheLoop();
    read.push(readRow(index + 1, row));
  }
  return read;
}

function readRow(row: number, cells: Readonly<Record<string, unknown>>): ReadRow {
  const values = Object.fromEntries(
    Object.entries(cells).map(([key, cell]) => [
      key,
      typeof cell === 'string' ? cellText(cell) : cell,
    ]),
  );
  const result = validate(importedCustomer, values, wirePath);
  if (result.ok) return { row, customer: result.value, faults: [] };
  const faulty = new Set(result.faults.map(({ path }) => path[0]));
  const sound = Object.fromEntries(Object.entries(values).filter(([key]) => !faulty.has(key)));
  const faults = result.faults.map(({ field, message }) => ({ field, message }));
  return { row, customer: importedCustomer.parse(sound), faults };
}

/**
 * Matches rows with existing customers (IMP-2): by number alone if the row has one, else by organisation number, else by an
 * e-mail address that only one customer has.
 *
 * @param found every customer with one of the numbers, organisation numbers or addresses of the rows
 * @param updateKnown whether known customers are changed
 */
export function judgeRows(
  rows: readonly ReadRow[],
  found: readonly CustomerRow[],
  updateKnown: boolean,
): Verdict {
  const judge = new Judge(found, updateKnown);
  for (const row of rows) judge.take(row);
  return judge;
}

type Match = { readonly before: CustomerRow; readonly by: Clash['field'] } | 'several' | null;

class Judge implements Verdict {
  readonly added: ReadRow[] = [];
  readonly known: { read: ReadRow; before: CustomerRow }[] = [];
  readonly clashes: Clash[] = [];
  readonly #byNumber: ReadonlyMap<number, CustomerRow>;
  readonly #byOrgNumber: ReadonlyMap<string | null, CustomerRow[]>;
  readonly #byEmail: ReadonlyMap<string | null, CustomerRow[]>;
  readonly #updateKnown: boolean;
  readonly #rowOfNumber = new Map<number, number>();
  readonly #rowOfCustomer = new Map<number, number>();
  /** The row of each new customer, by organisation number. */
  readonly #rowOfOrgNumber = new Map<string, ReadRow>();

  constructor(found: readonly CustomerRow[], updateKnown: boolean) {
    this.#updateKnown = updateKnown;
    this.#byNumber = new Map(found.map((customer) => [customer.customerNumber, customer]));
    this.#byOrgNumber = Map.groupBy(found, ({ orgNumber }) => orgNumber);
    this.#byEmail = Map.groupBy(found, ({ email }) => email);
  }

  take(read: ReadRow): void {
    const match = this.#match(read);
    const { customerNumber } = read.customer;
    const sameNumber = this.#first(this.#rowOfNumber, customerNumber, read.row);
    if (sameNumber !== null) this.#clash(read, 'customerNumber', 'import_number_twice', sameNumber);
    else if (match === 'several') this.#clash(read, 'orgNumber', 'import_org_number_shared');
    else if (match) this.#takeKnown(read, match);
    else this.#takeNew(read);
  }

  #match({ customer }: ReadRow): Match {
    const { customerNumber, orgNumber, email } = customer;
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

  #takeKnown(read: ReadRow, { before, by }: Exclude<Match, 'several' | null>): void {
    const sameCustomer = this.#first(this.#rowOfCustomer, before.id, read.row);
    if (sameCustomer !== null) this.#clash(read, by, 'import_customer_twice', sameCustomer);
    else this.known.push({ read, before });
    if (this.#updateKnown && isPrivateBusiness(read.customer, before)) {
      this.#clash(read, 'isPrivate', 'import_private_business');
    }
  }

  #takeNew(read: ReadRow): void {
    const { name, orgNumber, customerNumber } = read.customer;
    const isFaulty = read.faults.some(({ field }) => field === 'name');
    if (name === null && !isFaulty) this.#clash(read, 'name', null);
    if (orgNumber !== null) {
      const first = this.#rowOfOrgNumber.get(orgNumber);
      // The next import could not distinguish them, unless both have numbers.
      const isMoot = customerNumber !== null && first?.customer.customerNumber !== null;
      if (first && !isMoot) this.#clash(read, 'orgNumber', 'import_org_number_twice', first.row);
      else this.#rowOfOrgNumber.set(orgNumber, read);
    }
    this.added.push(read);
  }

  /** The earlier row with this key; null when this row is the first, or has no key. */
  #first<Key>(rows: Map<Key, number>, key: Key | null, row: number): number | null {
    if (key === null) return null;
    const first = rows.get(key);
    if (first === undefined) rows.set(key, row);
    return first ?? null;
  }

  #clash(
    { row }: ReadRow,
    field: Clash['field'],
    code: ErrorCode | null,
    repeats: number | null = null,
  ): void {
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
