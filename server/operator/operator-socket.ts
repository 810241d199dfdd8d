import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

import type { Logger } from '../context.ts';
import type { OperatorContext, Output } from './command.ts';
import { runCommand } from './commands.ts';

/** What is asked: one line of JSON. */
export interface OperatorRequest {
  readonly command: string;
  readonly args: readonly string[];
}

/** What is answered: lines of JSON, the last with the exit code. Bytes are in base64. */
export interface OperatorAnswer {
  readonly line?: string;
  readonly bytes?: string;
  readonly exit?: number;
}

/**
 * Where the process that has the embedded database open takes the operator's commands. The path is
 * relative when that is shorter: the operating system allows some hundred characters.
 */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'operator.sock');
  const fromHere = relative('', path);
  return fromHere.length < path.length ? fromHere : path;
}

/**
 * Takes commands for the embedded database, which no second process can open. Whoever may open the
 * socket may already read the database: both belong to the user that runs Faktur. The caller holds
 * the folder's lock, so a socket that is there was left by a process that died.
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
  // Whoever asked is gone: 'close' follows, and is what counts.
  socket.on('error', () => undefined);
  try {
    const request = await readRequest(socket, gone.signal);
    log.info({ command: request.command }, 'operator command');
    const exit = await runCommand(
      context,
      request.command,
      request.args,
      outputTo(socket, gone.signal),
    );
    answer(socket, { exit });
  } catch (error) {
    if (gone.signal.aborted) return;
    log.error({ err: error }, 'operator command failed');
    answer(socket, { line: 'The command failed; the log of Faktur says why.' });
    answer(socket, { exit: 1 });
  } finally {
    socket.end();
  }
}

async function readRequest(socket: Socket, signal: AbortSignal): Promise<OperatorRequest> {
  const lines = createInterface({ input: socket, signal });
  const [line] = (await once(lines, 'line', { signal })) as [string];
  return JSON.parse(line) as OperatorRequest;
}

function outputTo(socket: Socket, signal: AbortSignal): Output {
  return {
    line: (line) => void answer(socket, { line }),
    async bytes(chunk) {
      signal.throwIfAborted();
      const hasRoom = answer(socket, { bytes: Buffer.from(chunk).toString('base64') });
      if (!hasRoom) await once(socket, 'drain', { signal });
    },
  };
}

function answer(socket: Socket, content: OperatorAnswer): boolean {
  return socket.write(`${JSON.stringify(content)}\n`);
}
