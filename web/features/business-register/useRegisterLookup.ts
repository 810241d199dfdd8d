import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { z } from 'zod/mini';

import { isNineDigits, isValidOrgNumber } from '../../../domain/parties.ts';
import { settingsQuery } from '../session/session.api.ts';
import type { FieldProps } from '../../ui/Field.tsx';

type Hint = Pick<FieldProps, 'hint' | 'hintTone'>;

interface Lookup {
  readonly orgNumber: string | null | undefined;
  /** A stored number is not looked up again. */
  readonly storedNumber: string | null | undefined;
  /** A customer is invoiced where it does business, the seller by its own name and address. */
  readonly of: 'firstSubUnit' | 'unit';
  /** Called once for each business that is found, to fill in what is empty. */
  readonly onFound: (business: RegisteredBusiness) => void;
}

/** Looks up nine digits in the business register. It never blocks the form. Returns the hint of the field. */
export function useRegisterLookup({ of, storedNumber, onFound, ...typed }: Lookup): Hint {
  const orgNumber = typed.orgNumber?.trim() ?? '';
  const settings = useQuery(settingsQuery);
  const registerUrl = settings.data?.businessRegisterUrl ?? '';
  const { data, isFetching } = useQuery({
    ...businessQuery(registerUrl, of, orgNumber),
    enabled: isNineDigits(orgNumber) && storedNumber !== orgNumber && registerUrl !== '',
  });
  const found = useEffectEvent(onFound);
  useEffect(() => {
    if (data) found(data);
  }, [data]);
  return describe(orgNumber, isFetching, data);
}

/** Fills in fields that belong together, such as an address, while all of them are empty. */
export function fillEmpty<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  values: Partial<I>,
): void {
  const fields = Object.keys(values) as (keyof I & Parameters<typeof form.setValue>[0])[];
  if (fields.some((field) => form.getValues(field))) return;
  for (const field of fields) {
    form.setValue(field, values[field] as never, { shouldDirty: true });
    form.clearErrors(field);
  }
}

function describe(
  orgNumber: string,
  searching: boolean,
  found: RegisteredBusiness | null | undefined,
): Hint {
  const warning = (fault: string): Hint => ({
    hint: `Kontroller organisasjonsnummeret: ${fault}.`,
    hintTone: 'warning',
  });
  const isWhole = isNineDigits(orgNumber);
  if (isWhole && !isValidOrgNumber(orgNumber)) return warning('kontrollsifferet stemmer ikke');
  if (searching) return { hint: 'Slår opp i Brønnøysundregistrene …' };
  if (found) return { hint: `Registrert som ${found.name}` };
  return found === null ? warning('vi fant ingen virksomhet') : {};
}

type RegisteredBusiness = NonNullable<Awaited<ReturnType<typeof findBusiness>>>;

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
  registrertIMvaregisteret: z.nullish(z.boolean()),
  registrertIForetaksregisteret: z.nullish(z.boolean()),
  slettedato: z.nullish(z.string()),
});

/**
 * Looks up a business in Enhetsregisteret. Undefined when there is none or it is deleted.
 *
 * @param registerUrl without a trailing slash
 * @param orgNumber nine digits
 * @throws when the register fails; the form then stays as typed
 */
async function findBusiness(
  registerUrl: string,
  of: Lookup['of'],
  orgNumber: string,
  signal: AbortSignal,
) {
  if (of === 'firstSubUnit') {
    const parent = `${registerUrl}/underenheter?overordnetEnhet=${orgNumber}`;
    const answer = await fetchJson(parent, signal);
    const first = subUnits.parse(answer ?? {})._embedded?.underenheter[0];
    if (first) return toBusiness(first.navn, first.beliggenhetsadresse);
  }
  const answer = await fetchJson(`${registerUrl}/enheter/${orgNumber}`, signal);
  if (answer === undefined) return undefined;
  const unit = mainUnit.parse(answer);
  if (unit.slettedato) return undefined;
  return {
    ...toBusiness(unit.navn, unit.forretningsadresse),
    vatRegistered: unit.registrertIMvaregisteret ?? false,
    foretaksregisteret: unit.registrertIForetaksregisteret ?? false,
  };
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

function toBusiness(name: string, place: z.infer<typeof address> | null | undefined) {
  const [address1 = '', ...others] = place?.adresse ?? [];
  return {
    name,
    address1,
    address2: others.join(', '),
    postalCode: place?.postnummer ?? '',
    city: place?.poststed ?? '',
    vatRegistered: false,
    foretaksregisteret: false,
  };
}

const TIMEOUT_MS = 8_000;

/**
 * A business in the public register; null when there is none. The key is outside the customer keys, so that saving a
 * customer does not refetch it.
 */
function businessQuery(registerUrl: string, of: Lookup['of'], orgNumber: string) {
  return queryOptions({
    queryKey: ['business-register', of, orgNumber],
    queryFn: async ({ signal }) => {
      const timed = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return (await findBusiness(registerUrl, of, orgNumber, timed)) ?? null;
    },
    staleTime: Infinity,
    retry: false,
  });
}
