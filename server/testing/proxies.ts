import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a server whose connections can be cut. */
export interface CuttableProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void;
  /**
   * Drops every byte, permanently for existing connections and until `mend` for new ones. Neither side notices when
   * the other hangs up, as in a network that lost a connection.
   */
  silence(): void;
  mend(): void;
  /** Sends new connections to this port of 127.0.0.1. Existing connections keep theirs. */
  pointTo(port: number): void;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 and forwards to a port there.
 *
 * @param delay how long a connection says nothing at first (milliseconds)
 */
export async function startProxy(firstTarget: number, delay = 0): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let target = firstTarget;
  let state: 'mended' | 'cut' | 'silent' = 'mended';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state === 'silent') client.resume();
    if (state !== 'mended') return;
    const upstream = connect(target, '127.0.0.1');
    keep(upstream);
    setTimeout(() => forwardBoth(client, upstream, silenced), delay);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut';
      cutAll();
    },
    silence: () => {
      state = 'silent';
      for (const socket of sockets) swallow(socket, silenced);
    },
    mend: () => {
      state = 'mended';
    },
    pointTo: (port) => {
      target = port;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cutAll();
      await closed;
    },
  };
}

function forwardBoth(client: Socket, upstream: Socket, silenced: WeakSet<Socket>): void {
  if (silenced.has(client)) return;
  forward(client, upstream, silenced);
  forward(upstream, client, silenced);
}

function forward(from: Socket, to: Socket, silenced: WeakSet<Socket>): void {
  from.on('close', () => {
    if (!silenced.has(from)) to.destroy();
  });
  from.pipe(to);
}

function swallow(socket: Socket, silenced: WeakSet<Socket>): void {
  silenced.add(socket);
  socket.unpipe();
  socket.resume();
}

/** A minimal load balancer: each connection goes to the next server that accepts it. */
export interface TcpProxy {
  readonly origin: string;
  /** The number of open connections to a server. */
  openTo(origin: string): number;
  /** Sends new connections to these servers. Other servers keep their open connections. */
  sendTo(origins: readonly string[]): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port in front of these origins. */
export async function startTcpProxy(origins: readonly string[]): Promise<TcpProxy> {
  const open = new Map<string, Set<Socket>>();
  let takers = origins;
  let next = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    next += 1;
    forwardToFirst(client, [...takers.slice(next % takers.length), ...takers], open);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    openTo: (origin) => open.get(origin)?.size ?? 0,
    sendTo: (others) => {
      takers = others;
    },
    close: async () => {
      for (const sockets of open.values()) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Connects a client to the first of these servers that accepts the connection. */
function forwardToFirst(
  client: Socket,
  [origin, ...others]: readonly string[],
  open: Map<string, Set<Socket>>,
): void {
  if (origin === undefined) {
    client.destroy();
    return;
  }
  const { hostname, port } = new URL(origin);
  const server = connect(Number(port), hostname);
  const connections = open.get(origin) ?? new Set();
  open.set(origin, connections.add(server));
  server.once('close', () => connections.delete(server));
  server.once('error', () => {
    // Nothing was sent yet, so the next server can take over. After that the client sees the failure.
    if (server.connecting || server.bytesWritten === 0) forwardToFirst(client, others, open);
    else client.destroy();
  });
  server.once('connect', () => {
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    client.pipe(server);
    server.pipe(client);
  });
}
