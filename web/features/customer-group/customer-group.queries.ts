import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import {
  getCustomerGroup,
  listCustomerGroups,
  searchCustomerGroups,
} from '../../../domain/customer/customer.endpoints.ts';
import { call } from '../../lib/client.ts';

export const customerGroupKeys = {
  all: ['customer-groups'] as const,
  list: ['customer-groups', 'list'] as const,
  search: (query: string, size: number) =>
    [...customerGroupKeys.all, 'search', query, size] as const,
  detail: (groupUuid: string) => [...customerGroupKeys.all, 'detail', groupUuid] as const,
};

export const customerGroupsQuery = queryOptions({
  queryKey: customerGroupKeys.list,
  queryFn: async ({ signal }) => call(listCustomerGroups, {}, signal),
});

export function customerGroupSearchQuery(query: string, size: number) {
  return queryOptions({
    queryKey: customerGroupKeys.search(query, size),
    queryFn: async ({ signal }) => call(searchCustomerGroups, { query: { query, size } }, signal),
    placeholderData: keepPreviousData,
  });
}

export function customerGroupQuery(groupUuid: string) {
  return queryOptions({
    queryKey: customerGroupKeys.detail(groupUuid),
    queryFn: async ({ signal }) => call(getCustomerGroup, { params: { groupUuid } }, signal),
  });
}
