import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the present work is for, so that its jobs and log lines can name it. */
export const requestContext = new AsyncLocalStorage<{ readonly requestId: string }>();
