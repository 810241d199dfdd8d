export {
  countDraftsByOrganisation,
  deleteDraft,
  findDraftCustomerIds,
  findUncommonTexts,
  lockInvoice,
  lockInvoiceById,
  requireInvoice,
} from './invoice.repository.ts';
