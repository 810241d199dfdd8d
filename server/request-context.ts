import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  readonly requestId: string;
  /** The call of the API that is being answered; absent in the background. */
  readonly call?: Call;
}

/** The company that calls, once it is known; 'look-up' is the question who does, asked for many calls at once. */
interface Call {
  companyId: number | 'look-up' | null;
  /** Aborted when nobody waits for the answer, and what has no effect may be left. */
  signal?: AbortSignal;
}

/** The request that the current work is for, so that its jobs and log lines can name it. */
export const requestContext = new AsyncLocalStorage<Work>();
