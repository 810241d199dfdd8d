export {
  countDraftsByOrganisation,
  deleteDraft,
  findDraftCustomerIds,
  lockInvoice,
  lockInvoiceById,
  requireInvoice,
} from './invoice.repository.ts';
