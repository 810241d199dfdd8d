import { useQueries, useQuery } from '@tanstack/react-query';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { customerQuery, customersQuery, invoiceAddressesOf } from '../customer/customer.api.ts';
import { customerGroupQuery } from '../customer-group/customer-group.api.ts';
import type { Recipients } from './recipients.ts';

/** More customers than this are read in one call. */
const ASKED_MAX = 50;
/** Larger groups are not read. */
const GROUP_ASKED_MAX = 1_000;

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
