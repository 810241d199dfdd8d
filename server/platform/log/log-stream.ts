import { pino, type DestinationStream } from 'pino';

/** Largest amount of unwritten lines on a full disk; further lines are dropped (bytes). */
const WAITING_MAX = 16_000_000;

/** Streams whose last line could not be written. */
const failing = new Set<{ destroy(): void }>();

// On exit SonicBoom writes waiting lines until they are written: on a full disk that never ends.
process.prependListener('exit', () => {
  for (const stream of failing) stream.destroy();
});

/**
 * The stream of the log. A full disk does not end the process: unwritten lines wait for the next line, and the newest
 * are dropped when too many wait. Waiting lines are written when the process ends, possibly before lines still in
 * progress.
 *
 * @param fd an open file descriptor; 1 is standard output
 */
export function openLogStream(fd: number): DestinationStream {
  const stream = pino.destination({ dest: fd, sync: false, maxLength: WAITING_MAX });
  stream.on('write', () => failing.delete(stream));
  stream.on('error', () => failing.add(stream));
  return stream;
}
