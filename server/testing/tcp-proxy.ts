import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A minimal load balancer: each connection goes to the next server that accepts it. */
export interface TcpProxy {
  readonly origin: string;
  /** Connections that are open to a server now. */
  openTo(origin: string): number;
  /** From now on these get the new connections; the others finish what they have. */
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
    forward(client, [...takers.slice(next % takers.length), ...takers], open);
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

/** Joins a client to the first of these servers that takes the connection. */
function forward(
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
    // Nothing was sent yet, so the next one may take it; later than that, it is the client's loss.
    if (server.connecting || server.bytesWritten === 0) forward(client, others, open);
    else client.destroy();
  });
  server.once('connect', () => {
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    client.pipe(server);
    server.pipe(client);
  });
}
