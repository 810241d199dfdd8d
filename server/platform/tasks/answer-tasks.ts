import { parentPort } from 'node:worker_threads';

/** A message of a runner to the server: a sign of life, or the answer to a task. */
export type Message<Out> =
  | { readonly type: 'ALIVE' }
  /** After the answer that `isLast` it gets no other task. */
  | { readonly type: 'DONE'; readonly output: Out; readonly isLast: boolean }
  | { readonly type: 'REFUSED'; readonly error: unknown };

interface Options<Out> {
  readonly isLast?: () => boolean;
  readonly transferred?: (output: Out) => ArrayBuffer[];
}

/** Between two signs of life (milliseconds). */
const BETWEEN_SIGNS = 1000;

/**
 * Makes this process or thread one that answers the server's tasks (`TaskRunner`), one after the other. The server ends it.
 *
 * @param work answers a task of the type that the server gives it, or refuses it by an error; calls `goOn` while it works long
 * @param isLast whether it shall be replaced after an answer
 * @param transferred the buffers of an answer that a thread hands over instead of copying them
 */
export function answerTasks<Out>(
  work: (input: never, goOn: () => void) => Out | Promise<Out>,
  { isLast = () => false, transferred = () => [] }: Options<Out> = {},
): void {
  let toldAt = performance.now();
  const goOn = () => {
    if (performance.now() - toldAt < BETWEEN_SIGNS) return;
    toldAt = performance.now();
    tell({ type: 'ALIVE' });
  };
  const take = (input: unknown) => {
    void messageOf(async () => work(input as never, goOn), isLast).then((message) =>
      tell(message, message.type === 'DONE' ? transferred(message.output) : []),
    );
  };
  if (parentPort) parentPort.on('message', take);
  else listenAsProcess(take);
}

function listenAsProcess(take: (input: unknown) => void): void {
  // A terminal and systemd tell all processes to end. The server decides when this one does.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // The server has ended.
  process.once('disconnect', () => process.exit());
  process.on('message', take);
}

async function messageOf<Out>(
  answer: () => Promise<Out>,
  isLast: () => boolean,
): Promise<Message<Out>> {
  try {
    return { type: 'DONE', output: await answer(), isLast: isLast() };
  } catch (error) {
    return { type: 'REFUSED', error };
  }
}

function tell(message: Message<unknown>, transfer: ArrayBuffer[] = []): void {
  if (parentPort) parentPort.postMessage(message, transfer);
  else process.send?.(message, () => undefined);
}
