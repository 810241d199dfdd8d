import { pino, type DestinationStream } from 'pino';

/** What waits to be written when the disk is full; lines beyond it are left out (bytes). */
const WAITING_MAX = 16_000_000;

/** Streams whose last line could not be written. */
const failing = new Set<{ destroy(): void }>();

// What waits is written at the end, however long that takes: on a full disk it would be for ever.
process.prependListener('exit', () => {
  for (const stream of failing) stream.destroy();
});

/**
 * Where the log is written. A full disk under it ends nothing: what cannot be written waits for the
 * next line, and the newest is left out when too much waits. What waits when the process ends is written
 * then, though perhaps before the lines that were being written.
 *
 * @param fd an open file descriptor; 1 is standard output
 */
export function openLogStream(fd: number): DestinationStream {
  const stream = pino.destination({ dest: fd, sync: false, maxLength: WAITING_MAX });
  stream.on('write', () => failing.delete(stream));
  stream.on('error', () => failing.add(stream));
  return stream;
}
