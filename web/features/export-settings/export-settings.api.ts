import { useMutation } from '@tanstack/react-query';

import { getExportSettings, saveExportSettings } from '../../../domain/export/export.endpoints.ts';
import type { ExportSettingsForm } from '../../../domain/export/export-settings.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export const exportSettingsQuery = ask('export-settings', getExportSettings, {});

export function useSaveExportSettings() {
  return useMutation({
    mutationFn: async ({ values }: Pick<Versioned<ExportSettingsForm>, 'values'>) =>
      call(saveExportSettings, { body: values }),
    meta: { changes: 'export-settings', answers: exportSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Eksport lagret!'),
  });
}
