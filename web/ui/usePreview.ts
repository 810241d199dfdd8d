import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

import { reasonsOf } from '../lib/api-error.ts';
import { useDebounced } from './SearchField.tsx';

/** The dry run of a request, while the user fills it in. */
export interface Preview<T> {
  /** The previous one while a new one is fetched. Undefined while nothing valid is filled in. */
  readonly shown: T | undefined;
  /** Whether `shown` matches what is filled in. */
  readonly isSettled: boolean;
  /** Whether a preview of what is filled in is on its way. */
  readonly isAsking: boolean;
  /** The reason why the request would be refused, in words for the user. */
  readonly refusal: string | undefined;
  /** Asks again; undefined unless no answer came. */
  readonly retry: (() => void) | undefined;
  readonly error: Error | null;
}

/**
 * @param wish the request; undefined while nothing valid is filled in
 * @param nothing stands in the query's key meanwhile
 * @param queryOf the query of the dry run, with the previous answer as placeholder
 * @param isTrial whether an answer is that of a dry run
 */
export function usePreview<B, A, T extends A, K extends QueryKey>(
  wish: B | undefined,
  nothing: B,
  queryOf: (wish: B) => UseQueryOptions<A, Error, A, K>,
  isTrial: (answer: A) => answer is T,
): Preview<T> {
  // A string, because every render makes a new wish.
  const text = wish === undefined ? undefined : JSON.stringify(wish);
  const asked = useDebounced(text);
  const body = asked === undefined ? nothing : (JSON.parse(asked) as B);
  const query = useQuery({ ...queryOf(body), enabled: asked !== undefined });
  const { data, error, isPlaceholderData } = query;
  const isOfWish = text !== undefined && text === asked;
  const refusal = isOfWish ? reasonsOf(error) : undefined;
  const trial = data !== undefined && isTrial(data) ? data : undefined;
  const isSettled = isOfWish && trial !== undefined && !isPlaceholderData && !error;
  return {
    shown: text === undefined || refusal !== undefined ? undefined : trial,
    isSettled,
    isAsking: text !== undefined && !isSettled && (!isOfWish || !error),
    refusal,
    retry: isOfWish && error && refusal === undefined ? () => void query.refetch() : undefined,
    error,
  };
}
