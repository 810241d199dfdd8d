import { countOf } from '../../lib/count.ts';

/** Whom an invoice is for, with the names to show. */
export interface Recipients {
  readonly customers: readonly ChosenCustomer[];
  readonly group: ChosenGroup | null;
}

export interface ChosenCustomer {
  readonly customerNumber: number;
  readonly name: string;
}

export interface ChosenGroup {
  readonly uuid: string;
  readonly groupName: string;
  /** How many customers are in it; null while that is not known. */
  readonly size: number | null;
}

/** A group as the API has it. */
interface ListedGroup extends Omit<ChosenGroup, 'size'> {
  readonly customerCount: number;
}

export const NOBODY: Recipients = { customers: [], group: null };

/** Adds a customer once, however often it is chosen. */
export function withCustomer(recipients: Recipients, customer: ChosenCustomer): Recipients {
  const { customerNumber, name } = customer;
  const others = recipients.customers.filter((chosen) => chosen.customerNumber !== customerNumber);
  return { ...recipients, customers: [...others, { customerNumber, name }] };
}

/** This customer in the place of whoever was chosen. */
export function onlyCustomer({ customerNumber, name }: ChosenCustomer): Recipients {
  return { ...NOBODY, customers: [{ customerNumber, name }] };
}

export function withoutCustomer(recipients: Recipients, customerNumber: number): Recipients {
  const customers = recipients.customers.filter(
    (chosen) => chosen.customerNumber !== customerNumber,
  );
  return { ...recipients, customers };
}

/** The customers of one group, beside whoever else is chosen. */
export function withGroup(
  recipients: Recipients,
  { uuid, groupName, customerCount }: ListedGroup,
): Recipients {
  return { ...recipients, group: { uuid, groupName, size: customerCount } };
}

export function isNobody({ customers, group }: Recipients): boolean {
  return customers.length === 0 && group === null;
}

/** '1 kunde', '5 000 kunder'. */
export function groupSize(customers: number): string {
  return countOf(customers, 'kunde', 'kunder');
}

/** 'Kor og korps (12 kunder)'. */
export function groupText({ groupName, size }: ChosenGroup): string {
  return size === null ? groupName : `${groupName} (${groupSize(size)})`;
}
