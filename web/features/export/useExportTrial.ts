import { skipToken, useQuery } from '@tanstack/react-query';

import type { ExportTrial } from '../../../domain/export/export.schema.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import { exportTrialQuery, type ExportWish } from './export.api.ts';

/** The dry run of the export that the user is choosing. */
export interface Trial {
  /** The previous one while a new one is fetched. Undefined while nothing valid is chosen. */
  readonly trial: ExportTrial | undefined;
  /** Whether it is that of what is chosen. */
  readonly isSettled: boolean;
  /** The reason why it cannot be exported so, in words for the user. */
  readonly refusal: string | undefined;
  /** Asks again; undefined unless no answer came. */
  readonly retry: (() => void) | undefined;
}

/** @param wish undefined while nothing valid is chosen */
export function useExportTrial(wish: ExportWish | undefined): Trial {
  // A string, because every render makes a new wish.
  const text = wish && JSON.stringify(wish);
  const asked = useDebounced(text);
  const { queryFn, ...rest } = exportTrialQuery(
    asked === undefined ? NOTHING : (JSON.parse(asked) as ExportWish),
  );
  const query = useQuery({ ...rest, queryFn: asked && queryFn ? queryFn : skipToken });
  const { data, error, isPlaceholderData } = query;
  const isAsked = text !== undefined && text === asked;
  const refusal = isAsked && error instanceof ApiError ? reasonsOf(error) : undefined;
  const trial = data && 'draftsLeftOut' in data ? data : undefined;
  return {
    trial: text === undefined || refusal !== undefined ? undefined : trial,
    isSettled: isAsked && trial !== undefined && !isPlaceholderData && !error,
    refusal,
    retry: isAsked && error && refusal === undefined ? () => void query.refetch() : undefined,
  };
}

/** Stands in the query's key while nothing valid is chosen. */
const NOTHING: ExportWish = { kind: 'XLSX' };

/** The reasons of a refusal; undefined where the server has not judged the wish. */
export function reasonsOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.status >= 500) return undefined;
  return error.detail.map(({ message }) => message).join(' ') || undefined;
}
