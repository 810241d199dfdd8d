import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative } from 'node:path';

import type { Logger } from '../platform/log/log.ts';
import { OperatorError, readLines, type Output } from './command.ts';

// No second process can open the embedded database, so the one that has it open runs the operator's commands. The
// request is a line of JSON, and so is each part of the answer.

interface Request {
  readonly command: string;
  readonly args: readonly string[];
}

interface Answer {
  readonly line?: string;
  /** Base64. */
  readonly bytes?: string;
  /** The exit code, in the last line. */
  readonly exit?: number;
}

/**
 * How long the client may leave an answer unread (milliseconds). Meanwhile a backup uses the only connection of the
 * embedded database, and all other calls wait.
 */
const UNREAD_LIMIT = 5_000;

/** The path is relative when that is shorter, because the operating system allows about a hundred characters. */
function socketPath(dataDir: string): string {
  const path = join(dataDir, 'operator.sock');
  const fromHere = relative('', path);
  return fromHere.length < path.length ? fromHere : path;
}

/**
 * Takes commands. Only the user that runs Faktur may open the socket, and that user may read the database anyway. The
 * caller has locked the folder, so an existing socket was left by a process that died.
 */
export async function listenToOperator(
  dataDir: string,
  log: Logger,
  run: (request: Request, output: Output) => Promise<number>,
): Promise<{ close: () => Promise<void> }> {
  const path = socketPath(dataDir);
  const connections = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = serve(socket, log, run).finally(() => connections.delete(socket));
    connections.set(socket, served);
  });
  rmSync(path, { force: true });
  try {
    server.listen(path);
    await once(server, 'listening');
    chmodSync(path, 0o600);
  } catch (error) {
    log.warn({ err: error, path }, 'operator commands will need the server to be stopped');
  }
  return {
    close: async () => {
      server.close();
      for (const socket of connections.keys()) socket.destroy();
      await Promise.all(connections.values());
    },
  };
}

async function serve(
  socket: Socket,
  log: Logger,
  run: Parameters<typeof listenToOperator>[2],
): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  // Without a listener an error would end the process.
  socket.on('error', () => gone.abort());
  try {
    // The socket stays open for the answer.
    const lines = readLines(socket.iterator({ destroyOnReturn: false }));
    const { value: text } = await lines.next();
    await lines.return();
    // No more data is expected, but only reading shows that the client is gone.
    socket.resume();
    const request = JSON.parse(text ?? '') as Request;
    log.info({ command: request.command }, 'operator command');
    const exit = await run(request, outputTo(socket, gone.signal));
    answer(socket, { exit });
  } catch (error) {
    if (error instanceof Unread) log.warn({ err: error }, 'operator command was not read');
    if (gone.signal.aborted || error instanceof Unread) return;
    log.error({ err: error }, 'operator command failed');
    answer(socket, { line: 'The command failed; the log of Faktur says why.' });
    answer(socket, { exit: 1 });
  } finally {
    socket.end();
  }
}

/** The client is connected but does not read, as after Ctrl-Z. */
class Unread extends Error {}

function outputTo(socket: Socket, gone: AbortSignal): Output {
  return {
    line(line) {
      // Ends a long command together with its client or with Faktur.
      gone.throwIfAborted();
      answer(socket, { line });
    },
    async bytes(chunk) {
      gone.throwIfAborted();
      const hasRoom = answer(socket, { bytes: Buffer.from(chunk).toString('base64') });
      if (!hasRoom) await untilRead(socket, gone);
    },
  };
}

async function untilRead(socket: Socket, gone: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(UNREAD_LIMIT);
  try {
    await once(socket, 'drain', { signal: AbortSignal.any([gone, limit]) });
  } catch (error) {
    if (!limit.aborted) throw error;
    socket.destroy();
    throw new Unread('The answer was not read in time', { cause: error });
  }
}

function answer(socket: Socket, content: Answer): boolean {
  return socket.write(`${JSON.stringify(content)}\n`);
}

/**
 * Lets the running process do a command, and returns its exit code; null when no process is running.
 * @throws OperatorError when the process ends before the command
 */
export async function askServer(
  dataDir: string,
  request: Request,
  output: Output,
): Promise<number | null> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
  } catch {
    // No socket, or one left by a killed process.
    return null;
  }
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const text of readLines(socket)) {
      const { line, bytes, exit } = JSON.parse(text) as Answer;
      if (line !== undefined) output.line(line);
      if (bytes !== undefined) await output.bytes(Buffer.from(bytes, 'base64'));
      if (exit !== undefined) return exit;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'read') throw error;
  }
  throw new OperatorError(
    'Faktur stopped before the command was done, or gave it up because nobody read its answer.',
  );
}
