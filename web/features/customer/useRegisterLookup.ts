import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import type { customerForm } from '../../../domain/customer/customer.schema.ts';
import { isValidOrgNumber } from '../../../domain/parties.ts';
import { settingsQuery } from '../session/session.api.ts';
import type { Draft } from '../../forms/Form.tsx';
import { businessQuery, type RegisteredBusiness } from './business-register.ts';

export type CustomerInput = z.input<typeof customerForm>;
export type CustomerFormState = UseFormReturn<Draft<CustomerInput>, unknown, CustomerInput>;

const ADDRESS_FIELDS = ['address1', 'address2', 'postalCode', 'city'] as const;

interface Lookup {
  readonly hint: string | undefined;
  readonly tone: 'plain' | 'warning';
}

/**
 * Looks up nine digits in the business register and fills in the name and the address where they are empty. It never
 * overwrites typed values and never blocks the form.
 */
export function useRegisterLookup(form: CustomerFormState): Lookup {
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
): Lookup {
  if (/^\d{9}$/.test(orgNumber) && !isValidOrgNumber(orgNumber)) {
    return {
      hint: 'Kontroller organisasjonsnummeret: kontrollsifferet stemmer ikke.',
      tone: 'warning',
    };
  }
  if (searching) return { hint: 'Slår opp i Brønnøysundregistrene …', tone: 'plain' };
  if (found) return { hint: `Registrert som ${found.name}`, tone: 'plain' };
  if (found === null) {
    return { hint: 'Kontroller organisasjonsnummeret: vi fant ingen virksomhet.', tone: 'warning' };
  }
  return { hint: undefined, tone: 'plain' };
}
