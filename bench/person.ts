import type { Outbox } from './outbox.ts';

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

export const PROFILE = {
  company_name: 'Fjordlys Design AS',
  org_number: '123456785',
  vat_registered: true,
  foretaksregisteret: true,
  email: 'post@fjordlys.example',
  billing_address1: 'Storgata 12',
  billing_postal_code: '0184',
  billing_city: 'Oslo',
  bank_accounts: [{ bank_account_number: '12341112344', is_primary: true }],
};

async function callApi(
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
