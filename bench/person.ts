import { globSync, readFileSync } from 'node:fs';

import { makeChallenge } from '../server/account/login.service.ts';
import type { Context } from '../server/context.ts';
import { openServer } from '../server/platform/db/database.ts';
import { PROFILE } from '../server/testing/factories.ts';
import { loginCodeIn, readMail } from '../server/testing/mails.ts';
import { eventually } from '../server/testing/until.ts';
import { SECRET_KEY } from './harness.ts';
import { ownerOf } from './seed-companies.ts';

/** A logged-in user, who calls the API. */
export interface Person {
  readonly origin: string;
  readonly cookie: string;
}

/** Calls the API and returns the JSON of its answer. @throws Error unless it is a success */
export async function ask<Answer = unknown>(
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return (await call(person, method, path, body)).json() as Promise<Answer>;
}

/** Calls the API with JSON, or with the bytes of a file. @throws Error unless it is a success */
export async function call(
  { origin, cookie }: Person,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const isFile = body instanceof Uint8Array;
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const answer = await fetch(origin + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': type }) },
    ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Logs in the owner of the first seeded company, of another, or of a new one, on a server's own database. */
export async function logIn(url: string, origin: string, email = ownerOf(1)): Promise<Person> {
  const database = openServer(url, () => undefined);
  try {
    const context = { db: database.db, config: { secretKey: SECRET_KEY } } as Context;
    const challenge = await makeChallenge(context, 'register', email);
    return await verify(origin, { token: challenge?.token });
  } finally {
    await database.close();
  }
}

/** Registers the first user of a server that writes its mail to files, and fills in the profile. */
export async function signUp(origin: string, dataDir: string, email: string): Promise<Person> {
  await call({ origin, cookie: '' }, 'POST', '/api/users/register/email/', { email });
  const registration_token = await eventually(async () => codeIn(dataDir), 'the code');
  const person = await verify(origin, { email, registration_token });
  await ask(person, 'POST', '/api/users/update/', PROFILE);
  return person;
}

async function codeIn(dataDir: string): Promise<string | undefined> {
  const [file] = globSync(`${dataDir}/outbox/*.eml`);
  return file === undefined ? undefined : loginCodeIn((await readMail(readFileSync(file))).subject);
}

async function verify(origin: string, proof: object): Promise<Person> {
  const answer = await call({ origin, cookie: '' }, 'POST', '/api/users/login/verify/', proof);
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
  if (cookie === undefined) throw new Error('No session');
  return { origin, cookie };
}
