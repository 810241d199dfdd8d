import { hashKey, type Query, type QueryClient } from '@tanstack/react-query';

import type { Session } from '../../../domain/session/session.schema.ts';
import { settingsQuery } from './settings.queries.ts';
import { forgetInputOfOthers } from '../../forms/kept-input.ts';
import { sessionQuery } from './session.queries.ts';

let channel: BroadcastChannel | undefined;

/** Follows logins and logouts (null) in other tabs of this browser. */
export function listenToOtherTabs(queryClient: QueryClient): void {
  channel = new BroadcastChannel('faktur.session');
  channel.addEventListener('message', ({ data }: MessageEvent<Session | null>) => {
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    queryClient.setQueryData(sessionQuery.queryKey, data);
    if (before?.email === data?.email) return;
    if (data) forgetInputOfOthers(data.email);
    // Another user is logged in now: refetch the data on the screen.
    if (before && data) void queryClient.resetQueries({ predicate: isOfAccount });
    else forgetAccount(queryClient);
  });
}

export function tellOtherTabs(session: Session | null): void {
  // The rule is for windows, which may be of another origin; a BroadcastChannel is not.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(session);
}

/** Removes the cached data of an account before another logs in. */
export function forgetAccount(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: isOfAccount });
}

const OTHERS = new Set([hashKey(settingsQuery.queryKey), hashKey(sessionQuery.queryKey)]);

/** Settings do not belong to an account, and the session is replaced separately. */
function isOfAccount({ queryHash }: Query): boolean {
  return !OTHERS.has(queryHash);
}
