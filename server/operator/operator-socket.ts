import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';

import type { Logger } from '../platform/log/log.ts';
import type { OperatorContext, Output } from './command.ts';
import { runCommand } from './command-list.ts';

/** A request: one line of JSON. */
export interface OperatorRequest {
  readonly command: string;
  readonly args: readonly string[];
}

/** An answer: lines of JSON, the last with the exit code. Bytes are in base64. */
export interface OperatorAnswer {
  readonly line?: string;
  readonly bytes?: string;
  readonly exit?: number;
}

/**
 * How long the client may leave an answer unread (milliseconds). Meanwhile a backup uses the only connection of the
 * embedded database, and all other calls wait.
 */
const UNREAD_LIMIT = 5_000;
/** Longest request (characters), and the longest time until it has arrived (milliseconds). */
const LONGEST_REQUEST = 64 * 1024;
const REQUEST_LIMIT = 5_000;

/**
 * The socket on which the process with the embedded database takes commands. The path is relative when that is
 * shorter, because the operating system allows about a hundred characters.
 */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'operator.sock');
  const fromHere = relative('', path);
  return fromHere.length < path.length ? fromHere : path;
}

/**
 * Takes commands for the embedded database, which no second process can open. Only the user that runs Faktur may open
 * the socket, and that user may read the database anyway. The caller has locked the folder, so an existing socket was
 * left by a process that died.
 */
export async function listenToOperator(
  context: OperatorContext,
  log: Logger,
): Promise<{ close: () => Promise<void> }> {
  const path = socketPath(context.config.dataDir);
  const connections = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = serve(socket, context, log).finally(() => connections.delete(socket));
    connections.set(socket, served);
  });
  rmSync(path, { force: true });
  try {
    await listen(server, path);
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

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

async function serve(socket: Socket, context: OperatorContext, log: Logger): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  // Without a listener an error would end the process.
  socket.on('error', () => gone.abort());
  try {
    const request = await readRequest(socket);
    log.info({ command: request.command }, 'operator command');
    const output = outputTo(socket, gone.signal);
    const exit = await runCommand(context, request.command, request.args, output);
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

async function readRequest(socket: Socket): Promise<OperatorRequest> {
  const timer = setTimeout(() => socket.destroy(), REQUEST_LIMIT);
  let text = '';
  socket.setEncoding('utf8');
  // node:readline would throw errors of its input where nobody can catch them.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LONGEST_REQUEST) break;
  }
  clearTimeout(timer);
  // No more data is expected, but only reading shows that the client is gone.
  socket.resume();
  return JSON.parse(text.split('\n', 1)[0] ?? '') as OperatorRequest;
}

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

function answer(socket: Socket, content: OperatorAnswer): boolean {
  return socket.write(`${JSON.stringify(content)}\n`);
}
