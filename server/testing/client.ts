import type { InjectOptions, LightMyRequestResponse } from 'fastify';

/** A response, with its JSON unchanged. */
export interface Answer {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  /** The JSON body, untyped so that tests can read any field. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** The target of requests: an app in this process or in another one (see `process.ts`). */
export interface Http {
  inject(
    options: InjectOptions,
  ): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body' | 'cookies'>>;
}

/** A client of the API that keeps cookies. Bodies are in snake_case. */
export class TestClient {
  readonly #http: Http;
  readonly #cookies = new Map<string, string>();

  constructor(http: Http, cookieHeader = '') {
    this.#http = http;
    for (const pair of cookieHeader.split('; ').filter(Boolean)) {
      const [name = '', ...value] = pair.split('=');
      this.#cookies.set(name, value.join('='));
    }
  }

  async get(url: string): Promise<Answer> {
    return this.send({ method: 'GET', url });
  }

  async post(url: string, payload?: object): Promise<Answer> {
    return this.send({ method: 'POST', url, ...(payload && { payload }) });
  }

  async put(url: string, payload: object): Promise<Answer> {
    return this.send({ method: 'PUT', url, payload });
  }

  async delete(url: string): Promise<Answer> {
    return this.send({ method: 'DELETE', url });
  }

  /** The Cookie header that this client sends. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(options: InjectOptions): Promise<Answer> {
    const response = await this.#http.inject({
      ...options,
      headers: { cookie: this.cookieHeader, ...options.headers },
    });
    for (const { name, value } of response.cookies) this.#cookies.set(name, value);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: parseJson(response.body),
    };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
