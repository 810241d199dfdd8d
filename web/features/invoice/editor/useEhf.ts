import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import type { Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { useReachabilities } from '../../customer/customer.api.ts';
import type { InvoiceFormState } from '../../editor/invoice-form-state.ts';
import type { ChosenCustomer, Recipients } from '../../editor/recipients.ts';
import { offeredDeliveryTypes } from '../invoice-labels.ts';
import { useMaySendEhf } from '../../profile/profile.api.ts';

/** The delivery type of a new invoice when nothing else decides it. */
export const DEFAULT_DELIVERY_TYPE = 'EMAIL' satisfies DeliveryType;

interface EhfOfInvoice {
  readonly maySendEhf: boolean;
  readonly withoutEhf: readonly string[];
  /** Sets whether the user has chosen a delivery type; if so, none is proposed. */
  readonly setChosen: (isChosen: boolean) => void;
}

/**
 * Proposes the delivery type of a new invoice: that of its only customer, or EHF when every chosen customer can
 * receive it. Keeps a delivery type that the user, a template or the edited draft (`wasChosen`) has set. A customer of unknown reachability prevents the proposal, but is
 * not listed in `withoutEhf`.
 */
export function useEhf(
  form: InvoiceFormState,
  { customers, group }: Recipients,
  only: Customer | null | undefined,
  wasChosen = false,
): EhfOfInvoice {
  const maySendEhf = useMaySendEhf();
  const numbers = customers.map(({ customerNumber }) => customerNumber);
  const reachabilities = useReachabilities(numbers, { enabled: maySendEhf });
  const [isChosen, setChosen] = useState(wasChosen);
  const latest = useRef<DeliveryType>(DEFAULT_DELIVERY_TYPE);
  const isProposed =
    customers.length > 0 && group === null && reachabilities.every((it) => it === 'REACHABLE');
  const own = only?.deliveryType;
  const isOffered = own && offeredDeliveryTypes(maySendEhf).includes(own);
  const isAsking = only === undefined || (maySendEhf && reachabilities.includes(undefined));
  const proposal = isOffered ? own : isProposed ? 'EHF' : DEFAULT_DELIVERY_TYPE;
  const propose = useEffectEvent((type: DeliveryType) => {
    const { templateId, deliveryType } = form.getValues();
    const isOwn = deliveryType !== latest.current && deliveryType !== type;
    if (isChosen || templateId != null || isOwn) return;
    latest.current = type;
    form.setValue('deliveryType', type);
    form.clearErrors('deliveryType');
  });
  useEffect(() => {
    if (!isAsking) propose(proposal);
  }, [isAsking, proposal]);
  const withoutEhf = useWithoutEhf(customers, maySendEhf);
  return { maySendEhf, withoutEhf, setChosen };
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
