import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  BANK_FILE_BYTES_MAX,
  bankEntryPage,
  bankFile,
  bankFileBrief,
  bankFileParams,
  entryListQuery,
  fileQuery,
  openAccounts,
  uploadQuery,
} from './bank-file.schema.ts';

export const uploadBankFile = defineEndpoint({
  id: 'uploadBankFile',
  method: 'POST',
  path: '/api/payments/files/',
  summary:
    'Read a file of the bank (OCR giro, camt.054 or camt.053) and tell what booking it would do. ' +
    'Nothing is booked. 200 and what is known of it for a file that was read before',
  permission: 'payments',
  feature: 'payments',
  query: uploadQuery,
  upload: BANK_FILE_BYTES_MAX,
  response: bankFile,
  status: 201,
  statusOfExisting: 200,
});

export const listBankFiles = defineEndpoint({
  id: 'listBankFiles',
  method: 'GET',
  path: '/api/payments/files/',
  summary: 'The files of the bank that were read, newest first, without their entries',
  permission: 'see',
  feature: 'payments',
  response: z.array(bankFileBrief),
});

export const listOpenAccounts = defineEndpoint({
  id: 'listOpenAccounts',
  method: 'GET',
  path: '/api/payments/accounts/',
  summary:
    'The accounts that stand on open invoices, in the profile or not: customers pay to them, and files of ' +
    'the bank are taken for them',
  permission: 'see',
  feature: 'payments',
  response: openAccounts,
});

export const getBankFile = defineEndpoint({
  id: 'getBankFile',
  method: 'GET',
  path: '/api/payments/files/{fileUuid}/',
  summary: 'A file of the bank with all its entries',
  permission: 'see',
  feature: 'payments',
  params: bankFileParams,
  query: fileQuery,
  response: bankFile,
  errors: [404],
});

export const listBankEntries = defineEndpoint({
  id: 'listBankEntries',
  method: 'GET',
  path: '/api/payments/files/{fileUuid}/entries/',
  summary: 'The entries of a file in its order, twenty a page',
  permission: 'see',
  feature: 'payments',
  params: bankFileParams,
  query: entryListQuery,
  response: bankEntryPage,
  errors: [404],
});

export const deleteBankFile = defineEndpoint({
  id: 'deleteBankFile',
  method: 'DELETE',
  path: '/api/payments/files/{fileUuid}/',
  summary: 'Forget a file that is not booked',
  permission: 'payments',
  feature: 'payments',
  params: bankFileParams,
  errors: [404, 409],
});

export const bookBankFile = defineEndpoint({
  id: 'bookBankFile',
  method: 'POST',
  path: '/api/payments/files/{fileUuid}/book/',
  summary:
    'Book the entries of a file: what is certain on its invoices, and the rest to be placed by a ' +
    'person. Every entry is matched anew, and no money is booked twice. Of a large file the answer says ' +
    'BOOKING with its progress, and a job does the rest, also when the caller has gone',
  permission: 'payments',
  feature: 'payments',
  params: bankFileParams,
  query: fileQuery,
  makes: true,
  response: bankFile,
  errors: [404, 409],
});

export const undoBankFile = defineEndpoint({
  id: 'undoBankFile',
  method: 'POST',
  path: '/api/payments/files/{fileUuid}/undo/',
  summary:
    'Take back all that a file booked. It can be booked again. Of a large file the answer says UNDOING ' +
    'with its progress, and a job does the rest',
  permission: 'payments',
  feature: 'payments',
  params: bankFileParams,
  query: fileQuery,
  response: bankFile,
  errors: [404, 409],
});
