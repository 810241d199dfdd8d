import {
  MutationObserver,
  onlineManager,
  QueryObserver,
  type MutationMeta,
} from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

import { ApiError, ConnectionLost } from './api-error.ts';
import { deliveryInterval } from './delivery-interval.ts';
import {
  createQueryClient,
  retryDelay,
  shouldRetry,
  shouldRetryUnlessRefused,
  type Subject,
} from './query-client.ts';

// Toasts keep the path at which they were shown.
vi.stubGlobal('location', { pathname: '/' });

const failed = (status: number) => new ApiError({ url: '', status, statusText: '', body: null });

// WEB-8, WEB-9
test('queries are tried again three times at growing distances, but not for what is gone, or was refused', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, failed(500)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const statuses = [400, 401, 403, 404, 409, 413, 503];
  const retried = (decide: typeof shouldRetry) =>
    statuses.filter((status) => decide(0, failed(status)));
  expect(retried(shouldRetry)).toEqual([400, 409, 413, 503]);
  expect(retried(shouldRetryUnlessRefused)).toEqual([503]);
  expect(shouldRetryUnlessRefused(3, failed(503))).toBe(false);
  expect([0, 1, 2, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000]);
  expect(createQueryClient().getDefaultOptions()).toMatchObject({
    queries: { staleTime: 5000, gcTime: 300_000, refetchOnWindowFocus: false, retry: shouldRetry },
    mutations: { retry: false },
  });
});

test('a delivery is asked for quickly for a minute after each change, then slowly', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    let deliveryStatus = 'PENDING';
    const queryClient = createQueryClient();
    const invoice = new QueryObserver(queryClient, {
      queryKey: ['invoices', 'detail', '1'],
      queryFn: async () => ({ deliveryStatus }),
    });
    const intervalAfter = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms);
      const { data } = await invoice.refetch();
      return data && deliveryInterval(data);
    };
    expect(await intervalAfter(0)).toBe(2_000);
    expect(await intervalAfter(59_000)).toBe(2_000);
    expect(await intervalAfter(1_000)).toBe(15_000);
    deliveryStatus = 'QUEUED';
    expect(await intervalAfter(15_000)).toBe(2_000);
    expect(await intervalAfter(60_000)).toBe(15_000);
    queryClient.clear();
  } finally {
    vi.useRealTimers();
  }
});

/** Runs a mutation and returns the state of a list on the screen after it. */
async function changeWith(
  meta: MutationMeta,
  failure?: Error,
  subject: Subject = 'customer-groups',
  variables?: unknown,
) {
  const queryClient = createQueryClient();
  let asked = 0;
  const list = new QueryObserver(queryClient, {
    queryKey: [subject, 'list'],
    queryFn: async () => ++asked,
  });
  const leave = list.subscribe(() => undefined);
  await expect.poll(() => list.getCurrentResult().data).toBe(1);
  const mutation = new MutationObserver<void, Error, unknown>(queryClient, {
    meta,
    mutationFn: async () => {
      if (failure) throw failure;
    },
  });
  await mutation.mutate(variables).catch(() => undefined);
  const known = list.getCurrentResult();
  const answer = { asked: known.data, isOutOfDate: known.isStale };
  leave();
  queryClient.clear();
  return answer;
}

// WEB-9
test('what a change puts out of date is asked for again before the change is done', async () => {
  expect(await changeWith({ changes: 'customers' })).toEqual({ asked: 2, isOutOfDate: false });
  expect(await changeWith({ changes: 'invoices' })).toEqual({ asked: 1, isOutOfDate: false });
  expect(await changeWith({})).toEqual({ asked: 1, isOutOfDate: false });
});

test.each(['customers', 'customer-groups'] as const)(
  'assignments are asked for again after a change of their %s',
  async (changes) => {
    const answer = await changeWith({ changes, renewal: 'nextScreen' }, undefined, 'recurring');
    expect(answer).toEqual({ asked: 1, isOutOfDate: true });
  },
);

test('what was deleted is not asked for again until the next screen', async () => {
  const meta = { changes: 'customers', renewal: 'nextScreen' } as const;
  expect(await changeWith(meta)).toEqual({ asked: 1, isOutOfDate: true });
  expect(await changeWith(meta, failed(409))).toEqual({ asked: 2, isOutOfDate: false });
});

test('a refusal because something has changed meanwhile renews too, and no other failure', async () => {
  const meta = { changes: 'customers' } as const;
  expect(await changeWith(meta, failed(409))).toEqual({ asked: 2, isOutOfDate: false });
  expect(await changeWith(meta, failed(404))).toEqual({ asked: 2, isOutOfDate: false });
  expect(await changeWith(meta, failed(400))).toEqual({ asked: 2, isOutOfDate: false });
  expect(await changeWith(meta, failed(413))).toEqual({ asked: 1, isOutOfDate: false });
  // WEB-12: the form of what was deleted keeps its text.
  expect(await changeWith(meta, failed(404), 'customers', { version: 3 })).toEqual({
    asked: 1,
    isOutOfDate: false,
  });
});

// WEB-12
test('a refusal renews all that the screen shows, whatever the change was of', async () => {
  const meta = { changes: 'bank-files' } as const;
  expect(await changeWith(meta, undefined, 'customers')).toMatchObject({ asked: 1 });
  expect(await changeWith(meta, failed(409), 'customers')).toMatchObject({ asked: 2 });
  expect(await changeWith(meta, failed(409), 'business-register')).toMatchObject({ asked: 1 });
});

test.each([
  ['connection', new ConnectionLost(undefined)],
  ['proxy', failed(502)],
])('a change whose answer the %s lost renews too, but does not wait for it', async (_, lost) => {
  const queryClient = createQueryClient();
  queryClient.mount();
  let asked = 0;
  const list = new QueryObserver(queryClient, {
    queryKey: ['customers', 'list'],
    queryFn: async () => ++asked,
  });
  const leave = list.subscribe(() => undefined);
  await expect.poll(() => list.getCurrentResult().data).toBe(1);
  onlineManager.setOnline(false);
  await new MutationObserver(queryClient, {
    meta: { changes: 'customers' },
    mutationFn: async () => Promise.reject(lost),
  })
    .mutate()
    .catch(() => undefined);
  expect(asked).toBe(1);
  onlineManager.setOnline(true);
  await expect.poll(() => list.getCurrentResult().data).toBe(2);
  leave();
  queryClient.unmount();
  queryClient.clear();
});

test('what a change answers is shown, and not asked for again while it is fresh', async () => {
  const queryClient = createQueryClient();
  const asked = { list: 0, one: 0 };
  const late = Promise.withResolvers<string>();
  const queryKey = ['customer-groups', 'detail', 'uuid'] as const;
  const one = new QueryObserver(queryClient, {
    queryKey,
    // The first response is requested before the change and arrives after it.
    queryFn: async () => (++asked.one === 1 ? late.promise : 'asked again'),
  });
  const list = new QueryObserver(queryClient, {
    queryKey: ['customer-groups', 'list'],
    queryFn: async () => ++asked.list,
  });
  const leave = [one, list].map((observer) => observer.subscribe(() => undefined));
  await expect.poll(() => list.getCurrentResult().data).toBe(1);
  const save = async (mutationFn: () => Promise<string>) =>
    new MutationObserver(queryClient, {
      meta: { changes: 'customer-groups', answers: queryKey },
      mutationFn,
    }).mutate();
  await save(async () => 'saved');
  late.resolve('older than the change');
  expect(one.getCurrentResult()).toMatchObject({ data: 'saved', isStale: false });
  await save(async () => Promise.reject(failed(409))).catch(() => undefined);
  expect(one.getCurrentResult().data).toBe('asked again');
  expect(asked).toEqual({ list: 3, one: 2 });
  for (const stop of leave) stop();
  queryClient.clear();
});

// WEB-9
test('a first answer that is older than a change is asked for again', async () => {
  const queryClient = createQueryClient();
  const late = Promise.withResolvers<string>();
  let asked = 0;
  const invoice = new QueryObserver(queryClient, {
    queryKey: ['invoices', 'detail', '1'],
    queryFn: async () => (++asked === 1 ? late.promise : 'registered'),
  });
  const leave = invoice.subscribe(() => undefined);
  const meta: MutationMeta = { changes: 'invoices' };
  const registered = new MutationObserver(queryClient, {
    meta,
    mutationFn: async () => {
      setTimeout(() => late.resolve('draft'));
    },
  }).mutate();
  await Promise.all([registered, late.promise]);
  await expect.poll(() => invoice.getCurrentResult().data).toBe('registered');
  leave();
  queryClient.clear();
});

test('a change is done while a query that it put out of date fails and is tried again', async () => {
  const queryClient = createQueryClient();
  let asked = 0;
  const list = new QueryObserver(queryClient, {
    queryKey: ['customers', 'list'],
    queryFn: async () => {
      asked += 1;
      if (asked > 1) throw failed(503);
      return asked;
    },
  });
  const leave = list.subscribe(() => undefined);
  await expect.poll(() => list.getCurrentResult().data).toBe(1);
  const meta: MutationMeta = { changes: 'customers' };
  await new MutationObserver(queryClient, { meta, mutationFn: async () => 1 }).mutate();
  expect(asked).toBe(2);
  expect(list.getCurrentResult()).toMatchObject({ data: 1, isFetching: true, failureCount: 1 });
  leave();
  queryClient.clear();
});
