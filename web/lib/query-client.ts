import {
  hashKey,
  MutationCache,
  notifyManager,
  QueryClient,
  type MutationMeta,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';

import { ApiError, ConnectionLost, hasStatus, isUnanswered } from './api-error.ts';
import { showToast } from './toasts.ts';

const RETRIES = 3;
/** Statuses that are not retried: 404, 401 after the session has ended, and 403, which the role of a member decides. */
const FINAL = [401, 403, 404];

/** The first element of a query key. */
export type Subject =
  | 'attachments'
  | 'bank-files'
  | 'business-register'
  | 'closing'
  | 'customer-groups'
  | 'customer-import'
  | 'customers'
  | 'ehf-agreement'
  | 'ehf-check'
  | 'export-settings'
  | 'exports'
  | 'invoice-links'
  | 'invoice-templates'
  | 'invoices'
  | 'kid-agreement'
  | 'members'
  | 'overview'
  | 'own-sessions'
  | 'overview-links'
  | 'passkeys'
  | 'payments'
  | 'portal-settings'
  | 'product-import'
  | 'products'
  | 'profile'
  | 'quotes'
  | 'recurring'
  | 'reminder-settings'
  | 'reminders'
  | 'session'
  | 'settings'
  | 'statements'
  | 'tokens'
  | 'webhooks';

/** The queries to invalidate after each kind of change. */
const OUT_OF_DATE = {
  // A draft shows whether its mail is too large to be registered.
  attachments: ['attachments', 'invoices'],
  // A draft shows its customer's current data, and whether it can be registered; assignments, payments, proposed
  // reminders and quotes name their customers.
  customers: [
    'customers',
    'customer-groups',
    'invoices',
    'recurring',
    'payments',
    'reminders',
    'quotes',
  ],
  // An assignment of a deleted group waits for other recipients.
  'customer-groups': ['customer-groups', 'recurring'],
  // Marking an invoice as paid or unpaid changes its manual payments; crediting a paid invoice gives the customer
  // credit; and a recurring run lists its invoices. A quote shows what is invoiced of it.
  invoices: ['invoices', 'payments', 'customers', 'reminders', 'recurring', 'overview', 'quotes'],
  // The first invoice fixes the start number in the profile. A quote lists those that are made of it.
  'new-invoices': ['invoices', 'profile', 'quotes'],
  // The invoices of an assignment are made from its template.
  'invoice-templates': ['invoice-templates', 'recurring'],
  'bank-files': ['bank-files'],
  closing: ['closing', 'session'],
  // Payments settle invoices and appear in their history; unallocated payments become customer credit.
  payments: [
    'payments',
    'bank-files',
    'invoices',
    'customers',
    'reminders',
    'recurring',
    'overview',
  ],
  products: ['products'],
  quotes: ['quotes'],
  recurring: ['recurring'],
  // A recurring run creates invoices.
  'assignment-runs': ['recurring', 'invoices', 'profile'],
  // The invoice shows claimed fees and interest, and whether it is disputed.
  reminders: ['reminders', 'invoices', 'recurring'],
  // The session says whether the profile is complete; a new organisation number voids the EHF agreement.
  profile: ['profile', 'session', 'ehf-agreement', 'invoices'],
  // A draft shows whether it can be registered, which depends on the KID and EHF agreements.
  'kid-agreement': ['kid-agreement', 'invoices'],
  'reminder-settings': ['reminder-settings', 'reminders'],
  // The settings of e-invoices are renewed with the customers, whom they count.
  'ehf-agreement': ['ehf-agreement', 'invoices', 'customers'],
  'ehf-check': ['ehf-check', 'customers'],
  // A member answers for the links that it shares. An archive lets a company be closed.
  exports: ['exports', 'members', 'closing'],
  // An owner may lower the own role. The links of a removed member end.
  members: ['members', 'session', 'exports', 'overview-links'],
  'export-settings': ['export-settings'],
  'overview-links': ['overview-links', 'members'],
  'invoice-links': ['invoice-links'],
  // Without pages there are no links.
  'portal-settings': ['portal-settings', 'invoice-links'],
  'own-sessions': ['own-sessions'],
  statements: ['statements'],
  passkeys: ['passkeys'],
  tokens: ['tokens'],
  webhooks: ['webhooks'],
} as const satisfies Readonly<Record<string, readonly Subject[]>>;

export type ChangeKind = keyof typeof OUT_OF_DATE;

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [Subject, ...unknown[]];
    mutationMeta: {
      changes?: ChangeKind;
      /**
       * When to refetch the screen's queries: while the mutation is still pending, or after it. After a delete
       * they would return 404, so 'nextScreen' leaves the refetch to the next screen.
       */
      renewal?: 'pending' | 'after' | 'nextScreen';
      /** The query whose new data is the mutation's response. It is not refetched. */
      answers?: QueryKey;
      /** Whether the screen itself says that no answer came. A refusal of the API gets a toast too (WEB-12). */
      isShownInPlace?: boolean;
      /** Whether the mutation itself shows a toast for every failure. */
      hasOwnToast?: boolean;
    };
  }
}

/** Queries are retried at most three times, and never after a 401, 403 or 404 (WEB-8, WEB-9). */
export function shouldRetry(failures: number, error: Error): boolean {
  if (FINAL.some((status) => hasStatus(error, status))) return false;
  return failures < RETRIES;
}

/** The same as `shouldRetry`, but without retries of a 4xx response, which a retry would not change. */
export function shouldRetryUnlessRefused(failures: number, error: Error): boolean {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefused && shouldRetry(failures, error);
}

/** The delay in milliseconds: 1 s, 2 s, 4 s … at most 30 s. */
export function retryDelay(failures: number): number {
  return Math.min(1000 * 2 ** failures, 30_000);
}

/** Shows a toast with the reason why a change failed. */
export function reportFailure(error: unknown): void {
  if (error instanceof ApiError) {
    const reasons = error.detail.map((reason) => reason.message);
    const title = error.statusText || error.message;
    showToast({
      tone: 'error',
      title,
      description: reasons.join(', '),
      // The reasons are more specific than the status.
      refusal: reasons.length > 0 ? [...new Set(reasons)] : [title],
    });
  } else if (error instanceof ConnectionLost) {
    showToast({
      tone: 'error',
      title: error.message,
      description:
        'Det du har skrevet, er ikke borte. Se om det er lagret likevel før du prøver igjen.',
    });
  }
}

/** Subjects that no change of a company alters; the session is read again by itself (`noticeLostSession`). */
const NEVER_OUT_OF_DATE: ReadonlySet<Subject> = new Set([
  'business-register',
  'session',
  'settings',
]);

/** A form that edits a record sends the version that it is based on. */
function isOfForm(variables: unknown): boolean {
  return typeof (variables as { readonly version?: unknown } | undefined)?.version === 'number';
}

/**
 * Refetches the queries that a change has put out of date: also when its answer was lost, because it may have been made.
 * A refusal may be due to a change of anything that the screen shows, so all of it is refetched.
 */
async function renewQueries(
  queryClient: QueryClient,
  error: Error | null,
  variables: unknown,
  { changes, answers, renewal = 'pending' }: MutationMeta = {},
): Promise<void> {
  const isLost = isUnanswered(error);
  const isRefused =
    hasStatus(error, 400) ||
    hasStatus(error, 409) ||
    // The page of a form whose record was deleted would go, with what is typed.
    (hasStatus(error, 404) && !isOfForm(variables));
  if (!changes || (error && !isLost && !isRefused)) return;
  const refetchType = renewal === 'nextScreen' && !error ? 'none' : 'active';
  const failing = Promise.withResolvers<void>();
  // Do not wait for retries: they take seconds, and the button would stay pending.
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'failed') failing.resolve();
  });
  const answered = error ? undefined : answers;
  const shown = isRefused ? subjectsOnScreen(queryClient) : [];
  const subjects = new Set([...OUT_OF_DATE[changes], ...shown]);
  const renewed = renew(queryClient, subjects, { refetchType, answered });
  // Without a connection the queries wait for it.
  if (renewal !== 'after' && !isLost) await Promise.race([renewed, failing.promise]);
  unsubscribe();
}

function subjectsOnScreen(queryClient: QueryClient): ReadonlySet<Subject> {
  const active = queryClient.getQueryCache().findAll({ type: 'active' });
  return new Set(active.map(({ queryKey: [subject] }) => subject)).difference(NEVER_OUT_OF_DATE);
}

interface Renewal {
  readonly refetchType: 'active' | 'none';
  /** The query that is not refetched, because the response has its new data. */
  readonly answered?: QueryKey | undefined;
}

/** Refetches the queries that a change made by a job has put out of date. */
export async function renewAfter(queryClient: QueryClient, changes: ChangeKind): Promise<void> {
  await renew(queryClient, new Set(OUT_OF_DATE[changes]), { refetchType: 'active' });
}

async function renew(
  queryClient: QueryClient,
  subjects: ReadonlySet<Subject>,
  { refetchType, answered }: Renewal,
): Promise<void> {
  const spared = answered && hashKey(answered);
  const isOutOfDate = ({ queryHash }: Query) => queryHash !== spared;
  await Promise.all(
    [...subjects].map(async (subject) => {
      const queryKey = [subject] as const;
      // A first response in flight may be older than the change. TanStack Query would wait for it instead of a new one.
      if (refetchType === 'active') {
        const predicate = (query: Query) => isOutOfDate(query) && query.state.data === undefined;
        await queryClient.cancelQueries({ queryKey, type: 'active', predicate });
      }
      await queryClient.invalidateQueries({ queryKey, refetchType, predicate: isOutOfDate });
    }),
  );
}

/** Stores the mutation's response as the data of the query in `answers`. */
async function showAnswer(
  queryClient: QueryClient,
  answer: unknown,
  { answers }: MutationMeta = {},
): Promise<void> {
  if (!answers) return;
  // A response in flight may be older than the change.
  await queryClient.cancelQueries({ queryKey: answers, exact: true });
  queryClient.setQueryData(answers, answer ?? null);
}

/** The query client with the app's rules for caching and retries (WEB-8, WEB-9). */
export function createQueryClient(): QueryClient {
  // Notify before the next event: the second click of a double click must find the button pending.
  notifyManager.setScheduler(queueMicrotask);
  const queryClient: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        const isShown = meta?.isShownInPlace && !(error instanceof ApiError);
        if (!isShown && !meta?.hasOwnToast) reportFailure(error);
      },
      onSuccess: async (data, _variables, _context, { meta }) =>
        showAnswer(queryClient, data, meta),
      onSettled: async (_data, error, variables, _context, { meta }) =>
        renewQueries(queryClient, error, variables, meta),
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        retry: shouldRetry,
        retryDelay,
      },
      mutations: {
        retry: false,
        // By default a change made offline is held back and sent later without the user's knowledge.
        networkMode: 'always',
      },
    },
  });
  return queryClient;
}
