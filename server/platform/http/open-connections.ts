import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { networkOf } from './client-network.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long a client may take to read this route's answer, if longer than usual (milliseconds). */
    wholeAnswer?: number;
  }
}

export interface ConnectionLimits {
  /** Most open connections. Beyond it, the network with the most loses one for each new one. */
  readonly most: number;
  /** How long a client may read nothing of an answer (milliseconds). */
  readonly standstill: number;
  /** How long a client may take to read an answer (milliseconds). */
  readonly wholeAnswer: number;
  /** How long a call in transit may take to arrive after the server has begun to close (milliseconds). */
  readonly lateRequest: number;
}

/** Calls being read or answered. */
type Busy = Map<Socket, IncomingMessage>;

/**
 * Closes connections whose clients do not read their answers, which may take megabytes each, and idle connections
 * when there are too many. Behind a proxy all come from one address: then the oldest idle ones are closed, and the
 * proxy opens new ones. When the server closes, connections without a call are closed at once, and the others after
 * their answers.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const busy: Busy = new Map();
  /** Open connections by network, oldest first. */
  const open = new Map<string, Set<Socket>>();
  let total = 0;
  let isClosing = false;
  /** Number of bytes received when the last call was answered. */
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

  // Node calls this when it closes a server. Its own version would cut off answers in progress, wait
  // `keepAliveTimeout` for connections that were busy, and no longer limit calls that never arrive.
  app.server.closeIdleConnections = () => {
    isClosing = true;
    const sockets = [...open.values()].flatMap((ofNetwork) => Array.from(ofNetwork));
    for (const socket of sockets) {
      // Until its headers are complete, a call is only visible as received bytes.
      const isCalling = busy.has(socket) || socket.bytesRead > (answered.get(socket) ?? 0);
      if (!isCalling) socket.destroy();
    }
    const endLate = () => {
      for (const socket of sockets) if (!busy.get(socket)?.complete) socket.destroy();
    };
    setTimeout(endLate, limits.lateRequest).unref();
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    const { raw } = reply;
    const end = () => raw.socket?.destroy();
    raw.setTimeout(limits.standstill, end);
    const timer = setTimeout(end, request.routeOptions.config.wholeAnswer ?? limits.wholeAnswer);
    raw.once('close', () => clearTimeout(timer));
    done(null, payload);
  });
}

/**
 * Chooses the oldest idle connection of the network with the most. When none is idle: the new connection if it
 * belongs to that network, otherwise the network's oldest.
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
  // Unfinished requests and unread answers must not cause the refusal of others.
  return idle ?? (largest.has(newcomer) ? newcomer : (alive[0] ?? newcomer));
}
