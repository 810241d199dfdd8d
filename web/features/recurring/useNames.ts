import { useQueries, useQuery } from '@tanstack/react-query';

import { customerQuery } from '../customer/customer.api.ts';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';
import type { Recipients } from '../editor/recipients.ts';

/** Above this limit, customers are shown by number, since each name is a request. */
const NAMED_MAX = 50;

interface Named {
  readonly customerNumbers: readonly number[];
  readonly groupUuid: string | null;
}

/**
 * The recipients of an assignment by name; by number until the name is fetched.
 *
 * @param known recipients whose names need no request
 */
export function useNames({ customerNumbers, groupUuid }: Named, known: Recipients): Recipients {
  const names = new Map(known.customers.map(({ customerNumber, name }) => [customerNumber, name]));
  const missing = customerNumbers.filter((number) => !names.has(number)).slice(0, NAMED_MAX);
  const found = useQueries({ queries: missing.map((number) => customerQuery(number)) });
  for (const { data } of found) if (data) names.set(data.customerNumber, data.name);
  const isKnown = known.group?.uuid === groupUuid;
  const groups = useQuery({ ...customerGroupsQuery, enabled: groupUuid !== null && !isKnown });
  const group = groups.data?.find(({ uuid }) => uuid === groupUuid);
  return {
    customers: customerNumbers.map((customerNumber) => ({
      customerNumber,
      name: names.get(customerNumber) ?? `Kunde ${customerNumber}`,
    })),
    group: groupOf(),
  };

  function groupOf(): Recipients['group'] {
    if (groupUuid === null) return null;
    if (known.group?.uuid === groupUuid) return known.group;
    return {
      uuid: groupUuid,
      groupName: group?.groupName ?? 'Gruppe',
      size: group?.customerCount ?? null,
    };
  }
}
