import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';

import { showToast } from './ui/toasts.ts';
import { ApiError, ConnectionLost, hasStatus } from './api/api-error.ts';

const RETRIES = 3;

/** Queries are asked again at most three times, and never for what will not change by asking. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (hasStatus(error, 404) || hasStatus(error, 401)) return false;
  return failures < RETRIES;
}

/** 1 s, 2 s, 4 s … at most 30 s. In milliseconds. */
export function retryDelay(failures: number): number {
  return Math.min(1000 * 2 ** failures, 30_000);
}

/** Tells the person why a change was not made; what they typed stays where it is. */
function reportFailure(error: Error): void {
  if (error instanceof ApiError) {
    showToast({
      tone: 'error',
      title: error.statusText || error.message,
      description: error.detail.map((reason) => reason.message).join(', '),
    });
  } else if (error instanceof ConnectionLost) {
    showToast({
      tone: 'error',
      title: error.message,
      description: 'Det du har skrevet, står fortsatt her. Prøv igjen når nettet er tilbake.',
    });
  }
}

/** The data policy of the specification's sections 4 and 9. */
export function createQueryClient(): QueryClient {
  // Before the next event, not some time after it: the second click of a double click must find
  // the button disabled that the first one has pressed.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    mutationCache: new MutationCache({ onError: reportFailure }),
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
        // Without this a change made offline would wait, and be sent later behind one's back.
        networkMode: 'always',
      },
    },
  });
}
