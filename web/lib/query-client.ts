import {
  hashKey,
  MutationCache,
  notifyManager,
  QueryClient,
  type MutationMeta,
  type QueryKey,
} from '@tanstack/react-query';

import { ApiError, ConnectionLost, hasStatus } from './api-error.ts';
import { showToast } from './toasts.ts';

const RETRIES = 3;
/** What is gone, and what nobody is asked for who is not logged in any more. */
const FINAL = [401, 404];

/** What a query is about: the first word of its key. */
type Subject =
  | 'bank-files'
  | 'business-register'
  | 'customer-groups'
  | 'customer-import'
  | 'customers'
  | 'ehf-agreement'
  | 'invoice-templates'
  | 'invoices'
  | 'kid-agreement'
  | 'payments'
  | 'profile'
  | 'recurring'
  | 'reminder-settings'
  | 'reminders'
  | 'session'
  | 'settings';

/** The queries that are out of date after a change. */
const OUT_OF_DATE = {
  // A draft shows its customer as it is now, and whether it can be registered.
  customers: ['customers', 'customer-groups', 'invoices'],
  'customer-groups': ['customer-groups'],
  // A manual payment goes with it, what was paid of a credited invoice is the customer's credit, and what a run made
  // is told beside the run.
  invoices: ['invoices', 'payments', 'customers', 'reminders', 'recurring'],
  // The first invoice fixes the start number in the profile.
  'new-invoices': ['invoices', 'profile'],
  'invoice-templates': ['invoice-templates'],
  'bank-files': ['bank-files'],
  // What was paid settles invoices and is told in their history; what is on none is a customer's credit.
  payments: ['payments', 'bank-files', 'invoices', 'customers', 'reminders', 'recurring'],
  recurring: ['recurring'],
  // A run makes invoices, as people do.
  'assignment-runs': ['recurring', 'invoices', 'profile'],
  // Fees and interest that were asked for are on the invoice, and so is that it is disputed.
  reminders: ['reminders', 'invoices', 'recurring'],
  // The session says whether the profile is complete; another organisation number voids the agreement.
  profile: ['profile', 'session', 'ehf-agreement', 'invoices'],
  // A draft tells whether it can be registered with these agreements, as it does of the profile.
  'kid-agreement': ['kid-agreement', 'invoices'],
  'reminder-settings': ['reminder-settings', 'reminders'],
  'ehf-agreement': ['ehf-agreement', 'invoices'],
} as const satisfies Readonly<Record<string, readonly Subject[]>>;

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [Subject, ...unknown[]];
    mutationMeta: {
      /** What the mutation changes. */
      changes?: keyof typeof OUT_OF_DATE;
      /**
       * When the queries on the screen are made again: while the mutation is still pending, or after it. Of
       * something deleted they would be answered 404, so they wait for the next screen.
       */
      renewal?: 'pending' | 'after' | 'nextScreen';
      /** The query that its answer answers too, which is not made again then. */
      answers?: QueryKey;
      /** Whether the screen itself tells why it failed, so that no message does. */
      isToldInPlace?: boolean;
    };
  }
}

/** Queries are retried at most three times, and never after a 401 or 404 (WEB-8, WEB-9). */
export function shouldRetry(failures: number, error: Error): boolean {
  if (FINAL.some((status) => hasStatus(error, status))) return false;
  return failures < RETRIES;
}

/** As `shouldRetry`, for a question that may be refused: what was refused once is refused again. */
export function shouldRetryUnlessRefused(failures: number, error: Error): boolean {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefused && shouldRetry(failures, error);
}

/** 1 s, 2 s, 4 s … at most 30 s. In milliseconds. */
export function retryDelay(failures: number): number {
  return Math.min(1000 * 2 ** failures, 30_000);
}

/** Tells the person why a change was not made; what they typed stays where it is. */
export function reportFailure(error: unknown): void {
  if (error instanceof ApiError) {
    const reasons = error.detail.map((reason) => reason.message);
    const title = error.statusText || error.message;
    showToast({
      tone: 'error',
      title,
      description: reasons.join(', '),
      // The reasons say more than the status.
      refusal: reasons.length > 0 ? [...new Set(reasons)] : [title],
    });
  } else if (error instanceof ConnectionLost) {
    showToast({
      tone: 'error',
      title: error.message,
      description: 'Det du har skrevet, er ikke borte. Prøv igjen når nettet er tilbake.',
    });
  }
}

/**
 * Makes the queries again that a change has put out of date. So does a refusal with 409: what the change
 * was based on was out of date already.
 */
async function renewQueries(
  queryClient: QueryClient,
  error: Error | null,
  { changes, answers, renewal = 'pending' }: MutationMeta = {},
): Promise<void> {
  if (!changes || (error && !hasStatus(error, 409))) return;
  const refetchType = renewal === 'nextScreen' && !error ? 'none' : 'active';
  const failing = Promise.withResolvers<void>();
  // The retries of a query take seconds, for which the button would be pending.
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'failed') failing.resolve();
  });
  const answered = error ? undefined : answers;
  const renewed = renewAfter(queryClient, changes, { refetchType, answered });
  if (renewal !== 'after') await Promise.race([renewed, failing.promise]);
  unsubscribe();
}

interface Renewal {
  readonly refetchType: 'active' | 'none';
  /** The query that is not made again, since it is answered already. */
  readonly answered?: QueryKey | undefined;
}

/** Makes the queries again that a change has put out of date, as one that a job has made. */
export async function renewAfter(
  queryClient: QueryClient,
  changes: keyof typeof OUT_OF_DATE,
  { refetchType, answered }: Renewal = { refetchType: 'active' },
): Promise<void> {
  const spared = answered && hashKey(answered);
  await Promise.all(
    OUT_OF_DATE[changes].map(async (subject) =>
      queryClient.invalidateQueries({
        queryKey: [subject],
        refetchType,
        predicate: ({ queryHash }) => queryHash !== spared,
      }),
    ),
  );
}

/** Shows what a change answered where that is shown. */
async function showAnswer(
  queryClient: QueryClient,
  answer: unknown,
  { answers }: MutationMeta = {},
): Promise<void> {
  if (!answers) return;
  // An answer on its way may be older than the change.
  await queryClient.cancelQueries({ queryKey: answers, exact: true });
  queryClient.setQueryData(answers, answer ?? null);
}

/** How long answers are fresh and kept, and what is retried (WEB-8, WEB-9). */
export function createQueryClient(): QueryClient {
  // Before the next event: the second click of a double click must find the button pending.
  notifyManager.setScheduler(queueMicrotask);
  const queryClient: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (!meta?.isToldInPlace) reportFailure(error);
      },
      onSuccess: async (data, _variables, _context, { meta }) =>
        showAnswer(queryClient, data, meta),
      onSettled: async (_data, error, _variables, _context, { meta }) =>
        renewQueries(queryClient, error, meta),
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
        // Otherwise a change made offline would be held back and sent later without the person knowing.
        networkMode: 'always',
      },
    },
  });
  return queryClient;
}
