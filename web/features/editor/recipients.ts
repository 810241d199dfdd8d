import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch, type FieldValues, type UseFormReturn } from 'react-hook-form';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { countOf } from '../../lib/number-text.ts';
import { customerGroupQuery, customerGroupsQuery } from '../customer-group/customer-group.api.ts';
import { customerQuery, customersQuery } from '../customer/customer.api.ts';

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

export interface ListedGroup extends Omit<ChosenGroup, 'size'> {
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

/** Above this limit, customers are shown by number, since each name is a request. */
const NAMED_MAX = 50;

interface FormWithRecipients {
  readonly customerNumbers?: readonly number[] | null;
  readonly groupUuid?: string | null;
}

/**
 * The recipients that a form holds. The form stores numbers; the names of newly chosen recipients are kept here.
 *
 * @param initial the recipients that the form may hold before the user chooses any
 */
export function useRecipients<I extends FormWithRecipients & FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  initial = NOBODY,
) {
  // The hook reads and writes only these two fields.
  const { control, setValue, clearErrors } = form as unknown as UseFormReturn<FormWithRecipients>;
  const [known, setKnown] = useState(initial);
  const [customerNumbers, groupUuid] = useWatch({
    control,
    name: ['customerNumbers', 'groupUuid'],
  });
  const recipients = useNamedRecipients(
    { customerNumbers, groupUuid },
    { customers: [...initial.customers, ...known.customers], group: known.group },
  );
  const choose = (next: Recipients) => {
    setKnown(next);
    setValue(
      'customerNumbers',
      next.customers.map(({ customerNumber }) => customerNumber),
    );
    setValue('groupUuid', next.group?.uuid ?? null);
    clearErrors(['customerNumbers', 'groupUuid']);
  };
  return { recipients, choose, known, setKnown };
}

/**
 * Recipients by name; by number until the name is fetched.
 *
 * @param known recipients whose names need no request
 */
export function useNamedRecipients(held: FormWithRecipients, known = NOBODY): Recipients {
  const customerNumbers = held.customerNumbers ?? [];
  const groupUuid = held.groupUuid ?? null;
  const names = new Map(known.customers.map(({ customerNumber, name }) => [customerNumber, name]));
  const missing = customerNumbers.filter((number) => !names.has(number)).slice(0, NAMED_MAX);
  const found = useQueries({ queries: missing.map((number) => customerQuery(number)) });
  for (const { data } of found) if (data) names.set(data.customerNumber, data.name);
  const knownGroup = known.group?.uuid === groupUuid ? known.group : null;
  const groups = useQuery({
    ...customerGroupsQuery,
    enabled: groupUuid !== null && knownGroup === null,
  });
  return {
    customers: customerNumbers.map((customerNumber) => ({
      customerNumber,
      name: names.get(customerNumber) ?? `Kunde ${customerNumber}`,
    })),
    group: groupUuid === null ? null : (knownGroup ?? named(groupUuid)),
  };

  function named(uuid: string) {
    const group = groups.data?.find((group) => group.uuid === uuid);
    return {
      uuid,
      groupName: group?.groupName ?? 'Gruppe',
      size: group?.customerCount ?? null,
    };
  }
}

/** More customers than this are read in one call. */
const ASKED_MAX = 50;
/** Larger groups are not read. */
export const GROUP_ASKED_MAX = 1_000;

interface RecipientCustomers {
  /** Those that are known, each once. */
  readonly customers: readonly Customer[];
  readonly withoutEmail: readonly Customer[];
  /** Whether these are all. */
  readonly areAll: boolean;
}

/** The customers of recipients, with their addresses. */
export function useRecipientCustomers({ customers, group }: Recipients): RecipientCustomers {
  const isMany = customers.length > ASKED_MAX;
  const chosen = useQueries({
    queries: (isMany ? [] : customers).map((one) => customerQuery(one.customerNumber)),
  });
  const all = useQuery({ ...customersQuery, enabled: isMany });
  const members = useQuery({
    ...customerGroupQuery(group?.uuid ?? ''),
    enabled: group !== null && (group.size ?? 0) <= GROUP_ASKED_MAX,
  });
  const numbers = new Set(customers.map(({ customerNumber }) => customerNumber));
  const named = isMany
    ? (all.data ?? []).filter(({ customerNumber }) => numbers.has(customerNumber))
    : chosen.flatMap(({ data }) => data ?? []);
  const found = [...named, ...(group ? (members.data?.customers ?? []) : [])];
  const known = [...new Map(found.map((one) => [one.customerNumber, one])).values()];
  return {
    customers: known,
    withoutEmail: known.filter((customer) => invoiceAddressesOf(customer).length === 0),
    areAll: named.length === numbers.size && (group === null || members.data !== undefined),
  };
}
