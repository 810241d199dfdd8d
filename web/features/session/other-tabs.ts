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
    // Somebody else is logged in now: fetch what is on the screen again.
    if (before && data) void queryClient.resetQueries({ predicate: isOfAccount });
    else forgetAccount(queryClient);
  });
}

export function tellOtherTabs(session: Session | null): void {
  // The rule means windows, which can be of another origin; a channel cannot.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(session);
}

/** Removes what was fetched for one account before another logs in. */
export function forgetAccount(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: isOfAccount });
}

const OTHERS = new Set([hashKey(settingsQuery.queryKey), hashKey(sessionQuery.queryKey)]);

/** The settings are nobody's. */
function isOfAccount({ queryHash }: Query): boolean {
  return !OTHERS.has(queryHash);
}
