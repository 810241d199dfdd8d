export {
  deleteDraft,
  countDraftsByOrganisation,
  findDraftCustomerIds,
  lockInvoice,
  lockInvoiceById,
  requireInvoice,
} from './invoice.repository.ts';
