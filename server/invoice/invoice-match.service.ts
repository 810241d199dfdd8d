// The invoices that a bank payment may be for; the callers ask for many payments at once.
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
