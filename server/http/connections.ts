import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { networkOf } from '../client-network.ts';

export interface ConnectionLimits {
  /** How many connections may be open; above it, whoever has most loses one for each that comes. */
  readonly most: number;
  /** An answer of which nobody takes anything for so long is ended (milliseconds). */
  readonly standstill: number;
  /** An answer that is not taken whole by then is ended (milliseconds). */
  readonly wholeAnswer: number;
}

/**
 * Ends what callers leave lying: answers that they do not read, each of which may hold megabytes, and
 * connections without a request, when there are too many of them. With a proxy in front all come from
 * one address; then it is the oldest idle ones that go, and a proxy opens another.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const busy = new WeakSet<Socket>();
  /** By network, oldest first. */
  const open = new Map<string, Set<Socket>>();
  let total = 0;

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
    busy.add(socket);
    reply.raw.once('close', () => busy.delete(socket));
    done();
  });

  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const end = () => raw.socket?.destroy();
    raw.setTimeout(limits.standstill, end);
    const timer = setTimeout(end, limits.wholeAnswer);
    raw.once('close', () => clearTimeout(timer));
    done(null, payload);
  });
}

/**
 * Of whoever has most connections, the oldest that is at nothing. When none is: the newcomer, if it is
 * of the same network, and otherwise the oldest of all.
 */
function chooseFrom(
  open: ReadonlyMap<string, ReadonlySet<Socket>>,
  busy: WeakSet<Socket>,
  newcomer: Socket,
): Socket {
  let largest: ReadonlySet<Socket> = new Set();
  for (const sockets of open.values()) if (sockets.size > largest.size) largest = sockets;
  const alive = largest
    .values()
    .filter((socket) => !socket.destroyed)
    .toArray();
  const idle = alive.find((socket) => !busy.has(socket));
  // Requests that are never sent whole, and answers that are not read, are no reason to refuse others.
  return idle ?? (largest.has(newcomer) ? newcomer : (alive[0] ?? newcomer));
}
