import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Transmission {
  readonly key: string;
  readonly sender: string;
  readonly receiver: string;
  readonly documentType: string;
  readonly xml: string;
}

export interface FakeAccessPoint {
  readonly url: string;
  readonly token: string;
  /** The documents sent into the network, one entry for each time. */
  readonly transmissions: Transmission[];
  /** Requests as `METHOD /path`. */
  readonly requests: string[];
  /** The delay of an answer after the request was carried out (milliseconds). */
  answerDelay: number;
  /** Replaces the answer when it returns true. */
  interrupt: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  close(): Promise<void>;
}

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers with JSON, or with a string of XML. */
export type Respond = (status: number, body?: unknown) => void;

type Handle = (request: Request, answer: Respond) => void;

/** Serves an access point on loopback. */
export async function serveAccessPoint(
  handleWith: (fake: FakeAccessPoint) => Handle,
): Promise<FakeAccessPoint> {
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeAccessPoint = {
    url: `http://127.0.0.1:${port}`,
    token: 'a-token-of-the-tests',
    transmissions: [],
    requests: [],
    answerDelay: 0,
    interrupt: null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const handle = handleWith(fake);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', fake.url);
    const method = request.method ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    fake.requests.push(`${method} ${decodeURIComponent(url.pathname)}`);
    if (fake.interrupt?.(request, response)) return;
    const body = Buffer.concat(chunks);
    handle({ method, url, headers: request.headers, body }, (status, answer) => {
      const json = isXml(answer) ? answer : answer === undefined ? '' : JSON.stringify(answer);
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(json);
      }, fake.answerDelay);
    });
  }

  return fake;
}

function isXml(answer: unknown): answer is string {
  return typeof answer === 'string' && answer.startsWith('<');
}
