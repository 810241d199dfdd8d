import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import PostalMime from 'postal-mime';

import { PROFILE } from '../server/testing/factories.ts';
import { loginCodeIn } from '../server/testing/mails.ts';

/** A user with an account, who calls the API. */
export interface Person {
  readonly cookie: string;
  /** Calls the API and returns the answer. @throws Error unless it is a success */
  call(method: string, path: string, body?: object): Promise<Response>;
}

/** Registers with the code from the mail and fills in the profile. */
export async function signUp(origin: string, outbox: Outbox, email: string): Promise<Person> {
  await callApi(origin, '', ['POST', '/api/users/register/email/', { email }]);
  const registration_token = await outbox.takeCode(email);
  const answer = await callApi(origin, '', [
    'POST',
    '/api/users/login/verify/',
    { email, registration_token },
  ]);
  await answer.arrayBuffer();
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const call: Person['call'] = async (...request) => callApi(origin, cookie, request);
  await (await call('POST', '/api/users/update/', PROFILE)).arrayBuffer();
  return { cookie, call };
}

/** Calls the API of a server. @throws Error unless it is a success */
export async function callApi(
  origin: string,
  cookie: string,
  [method, path, body]: Parameters<Person['call']>,
): Promise<Response> {
  const answer = await fetch(origin + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const POLL = 50;
const PATIENCE = 60_000;

/** Reads the login codes of a server that writes its mail to files; each file once. */
export class Outbox {
  readonly #folder: string;
  readonly #seen = new Set<string>();
  readonly #codes = new Map<string, string>();
  #reading: Promise<void> | undefined;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'outbox');
  }

  /** The code in the next login mail to an address. @throws Error when none comes within a minute */
  async takeCode(address: string): Promise<string> {
    const deadline = Date.now() + PATIENCE;
    while (Date.now() < deadline) {
      this.#reading ??= this.#readNew().finally(() => (this.#reading = undefined));
      await this.#reading;
      const code = this.#codes.get(address);
      this.#codes.delete(address);
      if (code !== undefined) return code;
      await sleep(POLL);
    }
    throw new Error(`No code was mailed to ${address}`);
  }

  async #readNew(): Promise<void> {
    const files = await readdir(this.#folder).catch(() => []);
    for (const file of files) {
      if (this.#seen.has(file) || !file.endsWith('.eml')) continue;
      this.#seen.add(file);
      const mail = await PostalMime.parse(await readFile(join(this.#folder, file)));
      const address = mail.to?.[0]?.address;
      const code = loginCodeIn(mail.subject);
      if (address !== undefined && code !== undefined) this.#codes.set(address, code);
    }
  }
}
