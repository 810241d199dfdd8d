import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { customerSearchText, searchWords, soughtOf } from '../../../domain/search-text.ts';

/** Searches a complete list of customers with the same rules as the server. */
export function findCustomers(customers: readonly Customer[], query: string): readonly Customer[] {
  const sought = searchWords(query).map(soughtOf);
  if (sought.length === 0) return customers;
  return customers.filter((customer) => {
    const text = customerSearchText(customer);
    return sought.every((word) => text.includes(word));
  });
}
