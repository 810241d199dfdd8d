import { defineEndpoint } from '../api/endpoint.ts';
import { accountDeletionForm, closing, closingForm } from './closing.schema.ts';

export const getClosing = defineEndpoint({
  id: 'getClosing',
  method: 'GET',
  path: '/api/company/closing/',
  summary: 'Whether the company is open, what hinders closing it, and what is deleted when',
  permission: 'archive',
  feature: 'closing',
  response: closing,
});

export const closeCompany = defineEndpoint({
  id: 'closeCompany',
  method: 'POST',
  path: '/api/company/closing/',
  summary:
    'Close the company: it can only be read from now on, and after 30 days all but the books is deleted, ' +
    'or with `keep: false` everything. 409 with `obstacles` while something hinders it',
  permission: 'archive',
  proof: true,
  feature: 'closing',
  body: closingForm,
  response: closing,
  errors: [409],
});

export const reopenCompany = defineEndpoint({
  id: 'reopenCompany',
  method: 'DELETE',
  path: '/api/company/closing/',
  summary:
    'Open a closed company again, until anything of it is deleted. Keys, links, invitations and the agreement ' +
    'on EHF do not come back',
  permission: 'archive',
  proof: true,
  whileClosed: true,
  feature: 'closing',
  response: closing,
  errors: [409],
});

export const deleteAccount = defineEndpoint({
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/api/users/account/',
  summary:
    'Delete the account of the session, with all that logs it in. 409 while it is the only owner of a company that ' +
    'is open or whose books are kept here',
  access: 'account',
  sessionOnly: true,
  proof: true,
  feature: 'closing',
  body: accountDeletionForm,
  setsSession: true,
  errors: [409],
});
