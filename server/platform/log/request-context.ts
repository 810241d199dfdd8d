import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  readonly requestId: string;
  /** The API call being answered; absent in the background. */
  readonly call?: Call;
}

/** The calling company, once known. 'look-up' is the batched query that finds the callers of many calls. */
interface Call {
  companyId: number | 'look-up' | null;
  /** Aborted when nobody waits for the answer: work without effects may stop. */
  signal?: AbortSignal;
}

/** The request of the current work, for the log lines and jobs that it causes. */
export const requestContext = new AsyncLocalStorage<Work>();
