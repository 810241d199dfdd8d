import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import type { Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { DEFAULT_DUE_DAYS } from '../../../../domain/terms.ts';
import { customerQuery, useReachabilities } from '../../customer/customer.api.ts';
import type { InvoiceFormState } from '../../editor/draft-values.ts';
import type { ChosenCustomer, Recipients } from '../../editor/recipients.ts';
import { useMaySendEhf } from '../../profile/profile.api.ts';
import { offeredDeliveryTypes } from '../invoice-labels.ts';

/** The delivery type of a new invoice when nothing else decides it. */
export const DEFAULT_DELIVERY_TYPE = 'EMAIL' satisfies DeliveryType;

const DEFAULTS = {
  reference: '',
  dueDays: DEFAULT_DUE_DAYS,
  deliveryType: DEFAULT_DELIVERY_TYPE,
};
type Proposed = keyof typeof DEFAULTS;

/**
 * Proposes the value of a field. Keeps a value that differs from the latest proposal, and one from a template.
 *
 * @param proposal undefined while it is fetched
 * @param isFixed whether the user, or the invoice that is changed or copied, has decided the value
 */
function useProposal(
  form: InvoiceFormState,
  name: Proposed,
  proposal: string | number | undefined,
  isFixed: boolean,
): void {
  const { getValues, setValue, clearErrors } = form as unknown as UseFormReturn<
    Record<Proposed | 'templateId', string | number | null>
  >;
  const latest = useRef<string | number>(DEFAULTS[name]);
  const propose = useEffectEvent((next: string | number) => {
    const value = getValues(name) ?? '';
    const isOwn = value !== latest.current && value !== next;
    const isOfTemplate = name !== 'reference' && getValues('templateId') != null;
    if (isFixed || isOwn || isOfTemplate) return;
    latest.current = next;
    setValue(name, next);
    clearErrors(name);
  });
  useEffect(() => {
    if (proposal !== undefined) propose(proposal);
  }, [proposal]);
}

/**
 * The customer that a new invoice is to, when it is to one alone (CUS-14); undefined while it is fetched, null for none
 * or several.
 */
function useOnlyCustomer({ customers, group }: Recipients): Customer | null | undefined {
  const [only, another] = customers;
  const isOne = only !== undefined && another === undefined && group === null;
  const number = only?.customerNumber ?? 0;
  const { data, isError } = useQuery({ ...customerQuery(number), enabled: isOne });
  return isOne ? (isError ? null : data) : null;
}

/**
 * Proposes the reference, the due days and the delivery type of a new invoice: those of its only customer, or EHF when
 * every chosen customer can receive it. A customer of unknown reachability prevents that, but is not listed in
 * `withoutEhf`.
 *
 * @param isDecided whether the invoice that is changed or copied has decided them
 */
export function useProposals(form: InvoiceFormState, recipients: Recipients, isDecided: boolean) {
  const { customers, group } = recipients;
  const [areTermsFixed, setTermsFixed] = useState(isDecided);
  const [isDeliveryFixed, setDeliveryFixed] = useState(isDecided);
  const only = useOnlyCustomer(recipients);
  const isAsking = only === undefined;
  const { reference, dueDays } = only ?? DEFAULTS;
  useProposal(form, 'reference', isAsking ? undefined : (reference ?? ''), areTermsFixed);
  useProposal(form, 'dueDays', isAsking ? undefined : (dueDays ?? DEFAULT_DUE_DAYS), areTermsFixed);

  const maySendEhf = useMaySendEhf();
  const numbers = customers.map(({ customerNumber }) => customerNumber);
  const reachabilities = useReachabilities(numbers, { enabled: maySendEhf });
  const canAll =
    customers.length > 0 && group === null && reachabilities.every((it) => it === 'REACHABLE');
  const own = only?.deliveryType;
  const offered = offeredDeliveryTypes(maySendEhf);
  const isOffered = own && offered.includes(own);
  const deliveryType = isOffered ? own : canAll ? 'EHF' : DEFAULT_DELIVERY_TYPE;
  const isAskingEhf = isAsking || (maySendEhf && reachabilities.includes(undefined));
  useProposal(form, 'deliveryType', isAskingEhf ? undefined : deliveryType, isDeliveryFixed);
  return {
    delivery: {
      types: offered,
      withoutEhf: useWithoutEhf(customers, maySendEhf),
      // None is proposed once the user has chosen one.
      onChosen: () => setDeliveryFixed(true),
    },
    /** Sets whether restored input has decided everything. */
    setDecided: (isRestored: boolean) => {
      setTermsFixed(isDecided || isRestored);
      setDeliveryFixed(isDecided || isRestored);
    },
  };
}

/** The names of customers who are known to be unable to receive EHF. Looks nobody up unless `enabled`. */
export function useWithoutEhf(
  customers: readonly ChosenCustomer[],
  enabled: boolean,
): readonly string[] {
  const numbers = customers.map(({ customerNumber }) => customerNumber);
  const reachabilities = useReachabilities(numbers, { enabled });
  return customers.flatMap(({ name }, index) =>
    cannotReceive(reachabilities[index]) ? [name] : [],
  );
}

function cannotReceive(reachability: Reachability | undefined): boolean {
  return reachability === 'NOT_REGISTERED' || reachability === 'FORMAT_UNSUPPORTED';
}
