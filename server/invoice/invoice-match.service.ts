// What a payment of the bank may be for: the services above ask for many at once.
export {
  countOpenByAccount,
  findByBareKids,
  findByNumbers,
  findNamed,
  findNamedAccounts,
  findOpenOfCustomers,
  type MatchedInvoice,
  type NamedInvoice,
} from './invoice-match.repository.ts';
