import type { IncomingMessage, ServerResponse } from 'node:http';
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

  answerInTurn(app);
  endStandstills(app, busy, limits.standstill);

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    busy.set(socket, request.raw);
    reply.raw.once('close', () => {
      // The next call of a pipeline may have arrived.
      if (busy.get(socket) !== request.raw) return;
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

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  endLongAnswers(app, limits.wholeAnswer);
}

/** Ends connections whose clients take longer to read an answer than this, or than its route allows (milliseconds). */
function endLongAnswers(app: FastifyInstance, usual: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = reply;
    const limit = request.routeOptions.config.wholeAnswer ?? usual;
    const timer = setTimeout(() => raw.socket?.destroy(), limit);
    raw.once('close', () => clearTimeout(timer));
    done(null, payload);
  });
}

/** Most calls of one connection that wait for the answers before theirs. */
const PIPELINE_MAX = 100;

/**
 * Handles the calls of a pipeline (RFC 9112 § 9.3.2) one after the other. Node hands them over at once, and would keep
 * all their answers in memory until the client has read the first.
 */
function answerInTurn(app: FastifyInstance): void {
  const last = new WeakMap<Socket, ServerResponse>();
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const before = last.get(socket);
    last.set(socket, reply.raw);
    if (!before || before.writableFinished || before.closed) return done();
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINE_MAX) return void socket.destroy();
    waiting.set(socket, count);
    before.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      if (!socket.destroyed) done();
    });
  });
}

/** How often an answer is looked at within the limit of a standstill. */
const LOOKS = 5;

/**
 * Ends connections whose clients take no byte of an answer for so long (milliseconds), whatever they took before. Node's
 * own time limit of a socket waits twice as long for a large answer, and goes on into the next call of a pipeline.
 */
function endStandstills(app: FastifyInstance, busy: Busy, standstill: number): void {
  const seen = new WeakMap<Socket, { readonly progress: string; readonly looks: number }>();
  const look = (socket: Socket) => {
    // Otherwise the handler is slow, not the client.
    const progress = socket.writableLength > 0 ? progressOf(socket) : '';
    const before = seen.get(socket);
    // Looks, not time: after a pause of this process clients have had no chance to read.
    const looks = progress !== '' && before?.progress === progress ? before.looks + 1 : 0;
    if (looks >= LOOKS) socket.destroy();
    else seen.set(socket, { progress, looks });
  };
  const timer = setInterval(() => {
    for (const socket of busy.keys()) look(socket);
  }, standstill / LOOKS).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** Changes with every byte that the kernel takes: of what is being written, and of what waits behind it. */
function progressOf(socket: Socket): string {
  // Node has no public name for the rest of a write; its own limit uses this one.
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } };
  return `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`;
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
