import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  readonly requestId: string;
  /** The call of the API that is being answered; absent in the background. */
  readonly call?: Call;
}

/** Whose call it is, once that is known. */
interface Call {
  companyId: number | null;
}

/** The request that the present work is for, so that its jobs and log lines can name it. */
export const requestContext = new AsyncLocalStorage<Work>();
