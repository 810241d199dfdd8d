import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import type { Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { DEFAULT_DUE_DAYS } from '../../../../domain/terms.ts';
import { customerQuery, useReachabilities } from '../../customer/customer.api.ts';
import type { InvoiceFormState } from '../../editor/draft-values.ts';
import { isNobody, type ChosenCustomer, type Recipients } from '../../editor/recipients.ts';
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

/** The proposals for some recipients; none while they are fetched. */
type Terms = Readonly<Partial<Record<Proposed, string | number>>>;

interface Proposing {
  readonly form: InvoiceFormState;
  readonly latestOf: (name: Proposed) => string | number | undefined;
  /** Told of a proposal that the form now has, and whether it replaced another value. */
  readonly onProposed: (name: Proposed, value: string | number, isNew: boolean) => void;
}

/**
 * Proposes the value of a field. Keeps a value that differs from the latest proposal, and one from a template.
 *
 * @param proposal undefined while it is fetched
 * @param first the proposal that the form began with; undefined while it is fetched
 */
function useProposal(
  name: Proposed,
  proposal: string | number | undefined,
  first: string | number | undefined,
  { form, latestOf, onProposed }: Proposing,
): void {
  const { getValues, setValue, clearErrors } = form as unknown as UseFormReturn<
    Record<Proposed | 'templateId', string | number | null>
  >;
  const propose = useEffectEvent((next: string | number, before: string | number) => {
    const value = getValues(name) ?? '';
    const isOwn = value !== (latestOf(name) ?? before) && value !== next;
    const isOfTemplate = name !== 'reference' && getValues('templateId') != null;
    if (isOwn || isOfTemplate) return;
    setValue(name, next);
    clearErrors(name);
    onProposed(name, next, value !== next);
  });
  useEffect(() => {
    if (proposal !== undefined && first !== undefined) propose(proposal, first);
  }, [proposal, first]);
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

/** The terms of the only customer, or EHF when every chosen customer can receive it, and else the usual ones (CUS-14). */
function useTermsOf(recipients: Recipients, offered: readonly DeliveryType[]): Terms {
  const { customers, group } = recipients;
  const only = useOnlyCustomer(recipients);
  const maySendEhf = offered.includes('EHF');
  const numbers = customers.map(({ customerNumber }) => customerNumber);
  const reachabilities = useReachabilities(numbers, { enabled: maySendEhf });
  if (only === undefined) return {};
  const canAll =
    customers.length > 0 && group === null && reachabilities.every((it) => it === 'REACHABLE');
  const own = only?.deliveryType;
  const isAskingEhf = maySendEhf && reachabilities.includes(undefined);
  const usual = canAll ? 'EHF' : DEFAULT_DELIVERY_TYPE;
  return {
    reference: only?.reference ?? DEFAULTS.reference,
    dueDays: only?.dueDays ?? DEFAULTS.dueDays,
    deliveryType: isAskingEhf ? undefined : own && offered.includes(own) ? own : usual,
  };
}

/** The recipients that a form began with, and whether an invoice or restored input has decided its terms. */
interface Beginning {
  readonly recipients: Recipients;
  readonly isDecided: boolean;
}

/**
 * Proposes the reference, the due days and the delivery type: those of the only customer, or EHF when every chosen
 * customer can receive it. A customer of unknown reachability prevents that, but is not listed in `withoutEhf`. In a
 * draft or a copy, a value that its customer does not have by itself was typed by hand; it stays when the customer is
 * exchanged (CUS-18).
 */
export function useProposals(form: InvoiceFormState, recipients: Recipients, initial: Beginning) {
  const [beginning, setBeginning] = useState(initial);
  const [isDeliveryFixed, setDeliveryFixed] = useState(false);
  const [replaced, setReplaced] = useState<readonly Proposed[]>([]);
  const latest = useRef<Partial<Record<Proposed, string | number>>>({});
  const maySendEhf = useMaySendEhf();
  const offered = offeredDeliveryTypes(maySendEhf);
  const terms = useTermsOf(recipients, offered);
  const former = useTermsOf(beginning.recipients, offered);
  const { isDecided } = beginning;
  // The customer of a copied invoice was deleted: all that it has was that customer's.
  const isFormerGone = isDecided && isNobody(beginning.recipients);
  const [values] = useState(() => ({ ...form.getValues() }));
  const proposing: Proposing = {
    form,
    latestOf: (name) => latest.current[name],
    onProposed: (name, value, isNew) => {
      latest.current[name] = value;
      if (!isDecided || !isNew) return;
      const isBack = value === (values[name] ?? '');
      setReplaced((before) => [...before.filter((it) => it !== name), ...(isBack ? [] : [name])]);
    },
  };
  const propose = (name: Proposed, proposal: string | number | undefined) => {
    const first = isFormerGone ? (values[name] ?? '') : isDecided ? former[name] : DEFAULTS[name];
    const isMoot = isFormerGone && isNobody(recipients);
    return [name, isMoot ? undefined : proposal, first, proposing] as const;
  };
  // The former customer's reference goes at once: the new customer may be saved before it is fetched.
  useProposal(...propose('reference', terms.reference ?? DEFAULTS.reference));
  useProposal(...propose('dueDays', terms.dueDays));
  useProposal(...propose('deliveryType', isDeliveryFixed ? undefined : terms.deliveryType));
  return {
    /** The fields of a draft or a copy that have followed the exchanged customer. */
    replaced,
    delivery: {
      types: offered,
      withoutEhf: useWithoutEhf(recipients.customers, maySendEhf),
      // None is proposed once the user has chosen one.
      onChosen: () => setDeliveryFixed(true),
    },
    /** Begins again with restored input, which has its own delivery type. */
    restore: (kept: Recipients) => {
      const isRestored = !isNobody(kept);
      setBeginning({ recipients: kept, isDecided: initial.isDecided || isRestored });
      setDeliveryFixed(isRestored);
      latest.current = {};
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
