import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';

export interface RegisteredBusiness {
  readonly name: string;
  readonly address1: string;
  readonly address2: string;
  readonly postalCode: string;
  readonly city: string;
}

const address = z.object({
  adresse: z.nullish(z.array(z.string())),
  postnummer: z.nullish(z.string()),
  poststed: z.nullish(z.string()),
});

const subUnits = z.object({
  _embedded: z.optional(
    z.object({
      underenheter: z.array(
        z.object({ navn: z.string(), beliggenhetsadresse: z.nullish(address) }),
      ),
    }),
  ),
});

const mainUnit = z.object({
  navn: z.string(),
  forretningsadresse: z.nullish(address),
  slettedato: z.nullish(z.string()),
});

/**
 * Looks up a business in Enhetsregisteret: its first sub-unit, or the unit itself when there is none. Undefined when
 * there is no such business or it is deleted.
 *
 * @param registerUrl without a trailing slash
 * @param orgNumber nine digits
 * @throws when the register fails; the form then stays as typed
 */
async function findBusiness(
  registerUrl: string,
  orgNumber: string,
  signal: AbortSignal,
): Promise<RegisteredBusiness | undefined> {
  const subUnit = await fetchJson(
    `${registerUrl}/underenheter?overordnetEnhet=${orgNumber}`,
    signal,
  );
  const first = subUnits.parse(subUnit ?? {})._embedded?.underenheter[0];
  if (first) return toBusiness(first.navn, first.beliggenhetsadresse);
  const unit = await fetchJson(`${registerUrl}/enheter/${orgNumber}`, signal);
  if (unit === undefined) return undefined;
  const { navn, forretningsadresse, slettedato } = mainUnit.parse(unit);
  return slettedato ? undefined : toBusiness(navn, forretningsadresse);
}

/** Undefined for 404 (unknown) and 410 (deleted). */
async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    signal,
    headers: { accept: 'application/json' },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw new Error(`The business register answered ${response.status}`);
  return response.json();
}

function toBusiness(
  name: string,
  place: z.infer<typeof address> | null | undefined,
): RegisteredBusiness {
  const [address1 = '', ...others] = place?.adresse ?? [];
  return {
    name,
    address1,
    address2: others.join(', '),
    postalCode: place?.postnummer ?? '',
    city: place?.poststed ?? '',
  };
}

const TIMEOUT_MS = 8_000;

/**
 * A business in the public register; null when there is none. The key is outside the customer keys, so that saving a
 * customer does not refetch it.
 */
export function businessQuery(registerUrl: string, orgNumber: string) {
  return queryOptions({
    queryKey: ['business-register', orgNumber],
    queryFn: async ({ signal }) => {
      const timed = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return (await findBusiness(registerUrl, orgNumber, timed)) ?? null;
    },
    staleTime: Infinity,
    retry: false,
  });
}
