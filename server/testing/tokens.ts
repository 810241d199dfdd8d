import { addDays, todayInOslo } from '../../domain/date.ts';
import { SCOPES, type Scope } from '../../domain/token/token.schema.ts';
import { type Http, TestClient } from './client.ts';

/** A client that sends an API token in place of a cookie. */
export function clientWithToken(http: Http, token: string): TestClient {
  return new TestClient({
    inject: async (options) =>
      http.inject({
        ...options,
        headers: { ...options.headers, authorization: `Bearer ${token}` },
      }),
  });
}

/** Makes an API key by its call, with all scopes unless it says which. */
export async function makeKey(
  maker: TestClient,
  scopes: readonly Scope[] = SCOPES,
  days = 30,
): Promise<{ uuid: string; token: string }> {
  const body = { name: 'Regneark', scopes, expires_on: addDays(todayInOslo(), days) };
  const answer = await maker.post('/api/tokens/', body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as { uuid: string; token: string };
}
