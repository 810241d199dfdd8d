// The statements about invoices that other concepts may call. They stand in the repositories of this folder.
export {
  type InsertedInvoice,
  type SavedDraft,
  countDraftsByOrganisation,
  findDraftCustomerIds,
  findUncommonTexts,
  insertInvoices,
  saveDraft,
} from './drafts.repository.ts';
export {
  type NewEvent,
  SYSTEM,
  authorOf,
  findHistory,
  recordEvents,
  staffAuthor,
} from './history.repository.ts';
export {
  type MatchedInvoice,
  type NamedInvoice,
  countOpenByAccount,
  findByBareKids,
  findByNumbers,
  findNamed,
  findNamedAccounts,
  findOpenOfCustomers,
} from './invoice-match.repository.ts';
export {
  type OpenInvoice,
  type Payable,
  findOpen,
  findStatuses,
  lockPayable,
  lockPayables,
  lockPayablesByUuid,
} from './invoice-payable.repository.ts';
export {
  type Registration,
  findBuyerNames,
  findDrafts,
  findTakenKids,
  saveRegistrations,
} from './invoice-registration.repository.ts';
export {
  type RegisteredRow,
  type SeriesRow,
  countsAreRight,
  findRegistered,
  findSeries,
} from './invoice-series.repository.ts';
export {
  cancel,
  deleteDraft,
  getInvoiceById,
  lockInvoice,
  lockInvoiceById,
  requireInvoice,
  updateDispute,
} from './invoice.repository.ts';
export { type FoundLine, findLines } from './line-search.repository.ts';
export {
  type Standing,
  type Undelivered,
  countPending,
  countSent,
  findIssued,
  findUndelivered,
  findUndeliveredCompanies,
  hasUndelivered,
  lockUndelivered,
} from './undelivered.repository.ts';
