import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { dryRunQuery } from '../api/validation.ts';
import {
  companyExport,
  EXPORT_DOWNLOAD,
  exportBody,
  exportParams,
  exportTrial,
} from './export.schema.ts';
import { exportSettings, exportSettingsForm } from './export-settings.schema.ts';

export const listExports = defineEndpoint({
  id: 'listExports',
  method: 'GET',
  path: '/api/exports/',
  summary: 'What was exported before, the latest first, at most 200',
  permission: 'export',
  feature: 'export',
  response: z.array(companyExport),
});

export const createExport = defineEndpoint({
  id: 'createExport',
  method: 'POST',
  path: '/api/exports/',
  summary:
    'Export a period for the accountant, or everything of the company. Up to 2000 documents are ' +
    'DONE at once, and made when they are fetched; more, and PDFs, are made by a job. ' +
    'With dry_run nothing is exported, and the answer is what would be',
  // Everything of the company asks for 'archive' too.
  whileClosed: true,
  permission: 'export',
  feature: 'export',
  query: dryRunQuery,
  body: exportBody,
  response: z.union([companyExport, exportTrial]),
  status: 201,
  statusOfDryRun: 200,
  errors: [409, 429],
});

export const getExport = defineEndpoint({
  id: 'getExport',
  method: 'GET',
  path: '/api/exports/{uuid}/',
  summary: 'One export, with its progress',
  permission: 'export',
  feature: 'export',
  params: exportParams,
  response: companyExport,
  errors: [404],
});

export const getExportFile = defineEndpoint({
  id: 'getExportFile',
  method: 'GET',
  path: '/api/exports/{uuid}/file/',
  summary: 'The bytes of an export, to be saved as a file, for 7 days',
  permission: 'export',
  feature: 'export',
  params: exportParams,
  response: z.instanceof(Uint8Array<ArrayBufferLike>),
  contentType: 'application/octet-stream',
  wholeAnswer: EXPORT_DOWNLOAD,
  errors: [404, 409],
});

export const deleteExport = defineEndpoint({
  id: 'deleteExport',
  method: 'DELETE',
  path: '/api/exports/{uuid}/',
  summary: 'Delete the file of an export and end its link; what was exported stays in the list',
  // Those of others ask for 'edit' too.
  whileClosed: true,
  permission: 'export',
  feature: 'export',
  params: exportParams,
  errors: [404],
});

export const getExportSettings = defineEndpoint({
  id: 'getExportSettings',
  method: 'GET',
  path: '/api/users/export-settings/',
  summary: 'The accounts that exports book on, and the accountant',
  permission: 'export',
  feature: 'export',
  response: exportSettings,
});

export const saveExportSettings = defineEndpoint({
  id: 'saveExportSettings',
  method: 'PUT',
  path: '/api/users/export-settings/',
  summary: 'Save the accounts and the accountant; what is left out keeps its default',
  permission: ['export', 'edit'],
  feature: 'export',
  body: exportSettingsForm,
  response: exportSettings,
});
