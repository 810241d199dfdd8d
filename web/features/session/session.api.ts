import {
  hashKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';

import { NO_FEATURES, type Feature, type RequestOf } from '../../../domain/api/endpoint.ts';
import {
  getSession,
  loginEmail,
  logout,
  registerEmail,
  verifyLogin,
} from '../../../domain/session/session.endpoints.ts';
import type { Session } from '../../../domain/session/session.schema.ts';
import type { Permission } from '../../../domain/permission.ts';
import { changeKept } from '../../forms/unsaved-input.tsx';
import { hasStatus } from '../../lib/api-error.ts';
import { call, companyOfTab, isCompanyLinked, setCompany } from '../../lib/client.ts';

const FRESH_MS = 30_000;

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
    if (companyOfTab() === undefined || isCompanyLinked()) showCompanyOf(session);
    return session;
  } catch (error) {
    if (hasStatus(error, 401)) return null;
    throw error;
  }
}

/**
 * Refetches the session when another call's answer says that it ended elsewhere, expired or changed. Form input is kept
 * until its owner is logged in again (web/forms/unsaved-input.tsx).
 */
export function noticeLostSession(queryClient: QueryClient): void {
  const askAgain = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { type } = event.action;
    // A try that failed is an error only after the last retry.
    if (type !== 'failed' && type !== 'error') return;
    if (event.query.queryHash === hashKey(sessionQuery.queryKey)) return;
    if (endsSession(event.action.error)) askAgain();
  });
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (endsSession(event.action.error)) askAgain();
  });
}

/** Also true when the company may be another one or closed now, or the role another one. */
function endsSession(error: unknown): boolean {
  return [401, 403, 409].some((status) => hasStatus(error, status));
}

export interface SessionState {
  /** Undefined while unknown, and when nobody is logged in. */
  readonly session: Session | undefined;
  readonly status: 'unknown' | 'loggedIn' | 'loggedOut' | 'failed';
  readonly retry: () => void;
}

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

/** The features that the operator has turned on; none until the session is known. */
export function useFeatures(): ReadonlySet<Feature> {
  const names = useSession().session?.features;
  return useMemo(() => (names ? new Set(names) : NO_FEATURES), [names]);
}

export function useFeature(feature: Feature): boolean {
  return useFeatures().has(feature);
}

/** Permissions that are left in a closed company (CLO-3). */
const WHILE_CLOSED: ReadonlySet<Permission> = new Set(['see', 'export', 'members', 'archive']);

/** Whether the caller's role and the company's state allow it; without `members` everybody may do everything. */
export function useCan(permission: Permission): boolean {
  const { permissions, companyState } = useSession().session ?? {};
  if (companyState === 'CLOSED' && !WHILE_CLOSED.has(permission)) return false;
  return !permissions || permissions.includes(permission);
}

/** Whether the company is closed: then even those who may see its members, keys and links change none of them (CLO-3). */
export function useIsClosed(): boolean {
  return useSession().session?.companyState === 'CLOSED';
}

/** The reason for a code, so that another one is requested in the same way. */
export type CodePurpose = 'login' | 'signup';

/** Mails a code. */
export function useMailCode(purpose: CodePurpose) {
  const endpoint = purpose === 'signup' ? registerEmail : loginEmail;
  return useMutation({
    mutationFn: async (body: RequestOf<typeof endpoint>['body']) => call(endpoint, { body }),
  });
}

/** @param isShownInPlace whether the screen itself says that no answer came */
export function useVerifyLogin(isShownInPlace = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: RequestOf<typeof verifyLogin>['body']) => call(verifyLogin, { body }),
    meta: { isShownInPlace },
    onSuccess: (session) => {
      // The session may have ended without a logout, elsewhere or by expiry.
      enterSession(queryClient, session);
    },
  });
}

/** Whether the screen of the code stays after the login, for an offer. */
export const codeScreen = { stays: false };

/** Goes over to a session that has just begun. */
export function enterSession(queryClient: QueryClient, session: Session): void {
  forgetAccount(queryClient);
  forgetInputOfOthers(session.email);
  showCompanyOf(session);
  saveSession(queryClient, session);
}

/** Takes the company that a mailed link names out of the address. When the session has another one, the screen asks. */
export function takeCompanyOfLink(): void {
  const url = new URL(window.location.href);
  const uuid = url.searchParams.get('company');
  if (uuid === null) return;
  url.searchParams.delete('company');
  window.history.replaceState(window.history.state, '', url);
  setCompany(encodeURI(uuid), true);
}

/** Shows the company of a session that has begun, unless the link that opened this tab named another one. */
function showCompanyOf({ company }: Session): void {
  if (!company || company.uuid === companyOfTab() || !isCompanyLinked()) setCompany(company?.uuid);
}

/** Shows the session's company in this tab. Its other data is of the company before, and forgotten by the caller. */
export function showCompany(queryClient: QueryClient, session: Session): void {
  setCompany(session.company?.uuid);
  saveSession(queryClient, session);
}

/** Shows a session that has changed, in this tab and the others. */
export function saveSession(queryClient: QueryClient, session: Session): void {
  queryClient.setQueryData(sessionQuery.queryKey, session);
  tellOtherTabs(session);
}

/** Ends the session and then calls `leave`. */
export function useLogout(leave: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(logout, {}),
    onSuccess: () => {
      leave();
      forgetSession(queryClient);
    },
  });
}

/** Forgets who was logged in, in this tab and the others. */
export function forgetSession(queryClient: QueryClient): void {
  forgetAccount(queryClient);
  forgetInputOfOthers();
  // The browser may keep this page for its back button, so no account may be shown on it.
  setCompany(undefined);
  queryClient.setQueryData(sessionQuery.queryKey, null);
  tellOtherTabs(null);
}

/** The operator's settings for the browser. The server provides them beside the app. */
export interface Settings {
  readonly supportEmail: string;
  readonly businessRegisterUrl: string;
  readonly sentryDsn: string | null;
  readonly registration: 'open' | 'closed';
  readonly passkeys: boolean;
}

/** Fetched once: settings change only with a restart of the server. Not part of the API's contract. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<Settings> => {
    const response = await fetch('/config.json', { signal });
    if (!response.ok) throw new Error(`/config.json: ${response.status}`);
    return (await response.json()) as Settings;
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

let channel: BroadcastChannel | undefined;

/** Follows logins and logouts (null) in other tabs of this browser. */
export function listenToOtherTabs(queryClient: QueryClient): void {
  channel = new BroadcastChannel('faktur.session');
  channel.addEventListener('message', ({ data }: MessageEvent<Session | null>) => {
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    queryClient.setQueryData(sessionQuery.queryKey, data);
    if (before?.email === data?.email) return;
    if (data) {
      showCompanyOf(data);
      forgetInputOfOthers(data.email);
    } else setCompany(undefined);
    // Another user is logged in now: refetch the data on the screen.
    if (before && data) void queryClient.resetQueries({ predicate: isOfAccount });
    else forgetAccount(queryClient);
  });
}

function tellOtherTabs(session: Session | null): void {
  // The rule is for windows, which may be of another origin; a BroadcastChannel is not.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(session);
}

/** Deletes the kept input of all accounts except the owner; without an owner, of all accounts. */
function forgetInputOfOthers(owner?: string): void {
  changeKept((kept) => kept.filter((input) => input.owner === owner));
}

/** Removes the cached data of an account before another logs in. */
export function forgetAccount(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: isOfAccount });
}

const OTHER_THAN_ACCOUNT = new Set([
  hashKey(settingsQuery.queryKey),
  hashKey(sessionQuery.queryKey),
]);

/** Settings do not belong to an account, and the session is replaced separately. */
export function isOfAccount({ queryHash }: Query): boolean {
  return !OTHER_THAN_ACCOUNT.has(queryHash);
}
