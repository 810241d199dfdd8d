import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import type { ExportSettingsForm } from '../../../domain/export/export-settings.schema.ts';
import {
  createExport,
  deleteExport,
  getExportFile,
  getExportSettings,
  listExports,
  saveExportSettings,
} from '../../../domain/export/export.endpoints.ts';
import type { CompanyExport } from '../../../domain/export/export.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call, urlOf } from '../../lib/client.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';
import { showSuccess } from '../../lib/toasts.ts';

const PROGRESS_POLL_MS = 1_000;
/** For so long after it was asked for, a file or its link may still be on its way. */
const ON_ITS_WAY_MS = 120_000;

export const exportsQuery = queryOptions({
  ...ask('exports', listExports, {}),
  refetchInterval: ({ state: { data } }) =>
    data?.some((one) => isUnderWay(one) || isOnItsWay(one)) ? PROGRESS_POLL_MS : false,
});

/** Whether a job makes the file now, or will. */
export function isUnderWay({ state }: Pick<CompanyExport, 'state'>): boolean {
  return state === 'WAITING' || state === 'WORKING';
}

/** A file gets its hash when the browser has it, and a link its time when the mail has left. */
function isOnItsWay(made: CompanyExport): boolean {
  const { state, sha256, expiresAt, createdAt } = made;
  const isYoung = Date.now() - Date.parse(createdAt) < ON_ITS_WAY_MS;
  const isWaitedFor = sha256 === null || isLinkUnsent(made);
  return state === 'DONE' && isWaitedFor && expiresAt !== null && isYoung;
}

/** Whether the link was not mailed, or its address refused it. */
export function isLinkUnsent({ sentTo, linkSentAt }: CompanyExport): boolean {
  return sentTo !== null && linkSentAt === null;
}

export type ExportWish = RequestOf<typeof createExport>['body'];

/** The dry run of an export. The previous answer is shown until the new one arrives. */
export function exportTrialQuery(body: ExportWish) {
  return queryOptions({
    ...ask('exports', createExport, { query: { dryRun: 'true' }, body }),
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** @param isShownInPlace whether the screen itself says that no answer came */
export function useCreateExport({ isShownInPlace = false } = {}) {
  return useMutation({
    mutationFn: async (body: ExportWish) => {
      const made = await call(createExport, { query: {}, body });
      if (!('uuid' in made)) throw new Error('A dry run was answered');
      return made;
    },
    meta: { changes: 'exports', isShownInPlace },
  });
}

/**
 * Makes exports, and saves the file of each once it is there: at once, or when its job is done, as long as the screen is
 * open.
 */
export function useExportToDisk(exports: readonly CompanyExport[]) {
  const create = useCreateExport({ isShownInPlace: true });
  const [awaited, setAwaited] = useState<string>();
  // The list may tell of a quick job's end before the call that began it is over.
  const isDone = exports.some(({ uuid, state }) => uuid === awaited && state === 'DONE');
  useEffect(() => {
    if (awaited !== undefined && isDone) save(awaited);
  }, [awaited, isDone]);
  return {
    make: (wish: ExportWish) =>
      create.mutate(wish, {
        onSuccess: ({ uuid, state }) => {
          if (state === 'DONE') save(uuid);
          else setAwaited(uuid);
        },
      }),
    error: create.error,
    isPending: create.isPending,
  };
}

function save(uuid: string): void {
  download(uuid);
  showSuccess('Filen lastes ned.');
}

/** Deletes the file of an export, or ends the making of one. @param message the text of the toast */
export function useDeleteExport(message: string) {
  return useMutation({
    mutationFn: async (uuid: string) => call(deleteExport, { params: { uuid } }),
    meta: { changes: 'exports' },
    onSuccess: () => showSuccess(message),
  });
}

/** Saves the file as the browser saves files: with its own progress, and without a copy in the memory of the page. */
export function download(uuid: string): void {
  const link = document.createElement('a');
  link.href = urlOf(getExportFile, { params: { uuid } });
  link.download = '';
  link.click();
}

export const exportSettingsQuery = ask('export-settings', getExportSettings, {});

export function useSaveExportSettings() {
  return useMutation({
    mutationFn: async ({ values }: Pick<Versioned<ExportSettingsForm>, 'values'>) =>
      call(saveExportSettings, { body: values }),
    meta: { changes: 'export-settings', answers: exportSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Eksport lagret!'),
  });
}
