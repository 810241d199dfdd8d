import { useEffect, useRef } from 'react';

import type { CompanyExport } from '../../../domain/export/export.schema.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { download, type ExportWish, useCreateExport } from './export.api.ts';

/**
 * Makes exports, and saves the file of each once it is there: at once, or when its job is done, as long as the screen is
 * open.
 */
export function useExport(exports: readonly CompanyExport[]) {
  const create = useCreateExport({ isShownInPlace: true });
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    const made = exports.find(({ uuid }) => uuid === awaited.current);
    if (made?.state !== 'DONE') return;
    awaited.current = undefined;
    save(made);
  }, [exports]);
  return {
    make: (wish: ExportWish) =>
      create.mutate(wish, {
        onSuccess: (made) => {
          if (made.state === 'DONE') save(made);
          else awaited.current = made.uuid;
        },
      }),
    error: create.error,
    isPending: create.isPending,
  };
}

function save({ uuid }: CompanyExport): void {
  download(uuid);
  showSuccess('Filen lastes ned.');
}
