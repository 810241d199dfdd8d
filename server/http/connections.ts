import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { networkOf } from '../client-network.ts';

export interface ConnectionLimits {
  /** How many connections may be open. Beyond it, the network with the most loses one for each new one. */
  readonly most: number;
  /** How long a caller may read nothing of an answer (milliseconds). */
  readonly standstill: number;
  /** How long a caller may take to read an answer (milliseconds). */
  readonly wholeAnswer: number;
  /** How long a call may still be on its way to us after the server has begun to close (milliseconds). */
  readonly lateRequest: number;
}

/** The calls that are being read or answered. */
type Busy = Map<Socket, IncomingMessage>;

/**
 * Closes connections whose callers do not read their answers, which may take megabytes each, and idle
 * connections when there are too many. Behind a proxy all come from one address: then the oldest idle
 * ones are closed, and the proxy opens others. When the server closes, so does every connection without a
 * call, and the others as soon as they have their answers.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const busy: Busy = new Map();
  /** By network, oldest first. */
  const open = new Map<string, Set<Socket>>();
  let total = 0;
  let isClosing = false;
  /** How many bytes had come when the last call was answered. */
  const answered = new WeakMap<Socket, number>();

  app.server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const ofNetwork = open.get(network) ?? new Set();
    open.set(network, ofNetwork.add(socket));
    total += 1;
    socket.once('close', () => {
      total -= 1;
      ofNetwork.delete(socket);
      if (ofNetwork.size === 0) open.delete(network);
    });
    if (total > limits.most) chooseFrom(open, busy, socket).destroy();
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    busy.set(socket, request.raw);
    reply.raw.once('close', () => {
      busy.delete(socket);
      answered.set(socket, socket.bytesRead);
      if (isClosing) socket.destroySoon();
    });
    done();
  });

  // What Node calls as it closes a server. Its own would cut off answers that are on their way, wait
  // `keepAliveTimeout` for connections that were busy, and have no limit any more for calls that never arrive.
  app.server.closeIdleConnections = () => {
    isClosing = true;
    const sockets = [...open.values()].flatMap((ofNetwork) => Array.from(ofNetwork));
    for (const socket of sockets) {
      // A call is only known by its bytes until its headers are whole.
      const isCalling = busy.has(socket) || socket.bytesRead > (answered.get(socket) ?? 0);
      if (!isCalling) socket.destroy();
    }
    const endLate = () => {
      for (const socket of sockets) if (!busy.get(socket)?.complete) socket.destroy();
    };
    setTimeout(endLate, limits.lateRequest).unref();
  };

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    const { raw } = reply;
    const end = () => raw.socket?.destroy();
    raw.setTimeout(limits.standstill, end);
    const timer = setTimeout(end, limits.wholeAnswer);
    raw.once('close', () => clearTimeout(timer));
    done(null, payload);
  });
}

/**
 * Chooses the oldest idle connection of the network that has most. When none is idle: the new one, if it is
 * of that network, and otherwise its oldest.
 */
function chooseFrom(
  open: ReadonlyMap<string, ReadonlySet<Socket>>,
  busy: Busy,
  newcomer: Socket,
): Socket {
  let largest: ReadonlySet<Socket> = new Set();
  for (const sockets of open.values()) if (sockets.size > largest.size) largest = sockets;
  const alive = largest
    .values()
    .filter((socket) => !socket.destroyed)
    .toArray();
  const idle = alive.find((socket) => !busy.has(socket));
  // Unfinished requests and unread answers are no reason to refuse others.
  return idle ?? (largest.has(newcomer) ? newcomer : (alive[0] ?? newcomer));
}
