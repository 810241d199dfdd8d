import { countOf } from '../../lib/count.ts';

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
  /** The number of customers in the group; null while unknown. */
  readonly size: number | null;
}

interface ListedGroup extends Omit<ChosenGroup, 'size'> {
  readonly customerCount: number;
}

export const NOBODY: Recipients = { customers: [], group: null };

/** Adds a customer; a customer that is already chosen is not added twice. */
export function withCustomer(recipients: Recipients, customer: ChosenCustomer): Recipients {
  const { customerNumber, name } = customer;
  const others = recipients.customers.filter((chosen) => chosen.customerNumber !== customerNumber);
  return { ...recipients, customers: [...others, { customerNumber, name }] };
}

export function onlyCustomer({ customerNumber, name }: ChosenCustomer): Recipients {
  return { ...NOBODY, customers: [{ customerNumber, name }] };
}

export function withoutCustomer(recipients: Recipients, customerNumber: number): Recipients {
  const customers = recipients.customers.filter(
    (chosen) => chosen.customerNumber !== customerNumber,
  );
  return { ...recipients, customers };
}

export function withGroup(
  recipients: Recipients,
  { uuid, groupName, customerCount }: ListedGroup,
): Recipients {
  return { ...recipients, group: { uuid, groupName, size: customerCount } };
}

export function isNobody({ customers, group }: Recipients): boolean {
  return customers.length === 0 && group === null;
}

/**
 * The number of invoices, one for each customer. At most so many when chosen customers may be members of the group;
 * null while the group's size is unknown.
 */
export function countRecipients({ customers, group }: Recipients): number | null {
  const members = group ? group.size : 0;
  return members === null ? null : customers.length + members;
}

/** For example '1 kunde' or '5 000 kunder'. */
export function groupSize(customers: number): string {
  return countOf(customers, 'kunde', 'kunder');
}

/** For example 'Kor og korps (12 kunder)'. */
export function groupText({ groupName, size }: ChosenGroup): string {
  return size === null ? groupName : `${groupName} (${groupSize(size)})`;
}
