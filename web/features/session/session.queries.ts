import { useCallback, useEffect } from 'react';
import {
  hashKey,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useLocation } from 'react-router';

import type { Feature } from '../../../domain/api/endpoint.ts';
import type { Session } from '../../../domain/session/session.schema.ts';
import { getSession } from '../../../domain/session/session.endpoints.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { call } from '../../lib/client.ts';
import { rememberedFeatures, rememberFeatures } from './known-features.ts';

const FRESH_MS = 30_000;
const NO_FEATURES: readonly Feature[] = [];

/** The session; null when nobody is logged in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => askSession(signal),
  staleTime: FRESH_MS,
  // `useSessionOfScreen` fetches it once per screen, whatever components mount.
  refetchOnMount: false,
});

async function askSession(signal: AbortSignal): Promise<Session | null> {
  try {
    const session = await call(getSession, {}, signal);
    rememberFeatures(session.features);
    return session;
  } catch (error) {
    if (hasStatus(error, 401)) return null;
    throw error;
  }
}

/**
 * Refetches the session when another call is answered 401, since it ended elsewhere or expired. Form input is kept
 * until its owner is logged in again (web/forms/useUnsavedInput.ts).
 */
export function noticeLostSession(queryClient: QueryClient): void {
  const askAgain = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (event.query.queryHash === hashKey(sessionQuery.queryKey)) return;
    if (hasStatus(event.action.error, 401)) askAgain();
  });
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (hasStatus(event.action.error, 401)) askAgain();
  });
}

/** The session and its status. */
export interface SessionState {
  /** Undefined while unknown, and when nobody is logged in. */
  readonly session: Session | undefined;
  readonly status: 'unknown' | 'loggedIn' | 'loggedOut' | 'failed';
  readonly retry: () => void;
}

/** The current session. */
export function useSession(): SessionState {
  const query = useQuery(sessionQuery);
  const retry = () => void query.refetch();
  if (query.data === null) return { session: undefined, status: 'loggedOut', retry };
  if (query.data) return { session: query.data, status: 'loggedIn', retry };
  return { session: undefined, status: query.isError ? 'failed' : 'unknown', retry };
}

/** As `useSession`, for the route of a screen: refetches a stale session on navigation. */
export function useSessionOfScreen(): SessionState {
  const { pathname } = useLocation();
  const queryClient = useQueryClient();
  const ask = useCallback(() => {
    // The query's state holds the error.
    queryClient.query(sessionQuery).catch(() => undefined);
  }, [queryClient]);
  useEffect(ask, [ask, pathname]);
  return useSession();
}

/** The features that the operator has turned on. Until the session is known, those remembered; none for visitors. */
export function useFeatures(): readonly Feature[] {
  const { session, status } = useSession();
  if (session) return session.features;
  return status === 'unknown' ? rememberedFeatures() : NO_FEATURES;
}

/** Whether the operator has turned a feature on. */
export function useFeature(feature: Feature): boolean {
  return useFeatures().includes(feature);
}
