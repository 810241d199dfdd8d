import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod/mini';

import type { customerForm } from '../../../domain/customer/customer.schema.ts';
import { isValidOrgNumber } from '../../../domain/parties.ts';
import { settingsQuery } from '../session/session.api.ts';
import type { Draft } from '../../forms/Form.tsx';
import type { FieldProps } from '../../ui/Field.tsx';

export type CustomerInput = z.input<typeof customerForm>;
export type CustomerFormState = UseFormReturn<Draft<CustomerInput>, unknown, CustomerInput>;

const ADDRESS_FIELDS = ['address1', 'address2', 'postalCode', 'city'] as const;

type Hint = Pick<FieldProps, 'hint' | 'hintTone'>;

/**
 * Looks up nine digits in the business register and fills in the name and the address where they are empty. It never
 * overwrites typed values and never blocks the form. Returns the hint of the field.
 */
export function useRegisterLookup(form: CustomerFormState): Hint {
  const orgNumber = form.watch('orgNumber')?.trim() ?? '';
  const settings = useQuery(settingsQuery);
  const registerUrl = settings.data?.businessRegisterUrl ?? '';
  // The stored number of an existing customer is not looked up again.
  const isTyped = form.formState.defaultValues?.orgNumber !== orgNumber;
  const lookup = useQuery({
    ...businessQuery(registerUrl, orgNumber),
    enabled: /^\d{9}$/.test(orgNumber) && isTyped && registerUrl !== '',
  });
  const { data } = lookup;
  useEffect(() => {
    if (data) fillEmpty(form, data);
  }, [data, form]);
  return describe(orgNumber, lookup.isFetching, data);
}

function fillEmpty(form: CustomerFormState, business: RegisteredBusiness): void {
  const options = { shouldDirty: true } as const;
  if (!form.getValues('name')) {
    form.setValue('name', business.name, options);
    form.clearErrors('name');
  }
  if (ADDRESS_FIELDS.some((field) => form.getValues(field))) return;
  for (const field of ADDRESS_FIELDS) form.setValue(field, business[field], options);
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
  const isWhole = /^\d{9}$/.test(orgNumber);
  if (isWhole && !isValidOrgNumber(orgNumber)) return warning('kontrollsifferet stemmer ikke');
  if (searching) return { hint: 'Slår opp i Brønnøysundregistrene …' };
  if (found) return { hint: `Registrert som ${found.name}` };
  return found === null ? warning('vi fant ingen virksomhet') : {};
}

type RegisteredBusiness = ReturnType<typeof toBusiness>;

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

function toBusiness(name: string, place: z.infer<typeof address> | null | undefined) {
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
function businessQuery(registerUrl: string, orgNumber: string) {
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
