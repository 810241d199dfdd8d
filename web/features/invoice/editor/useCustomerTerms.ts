import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import { DEFAULT_DUE_DAYS } from '../../../../domain/terms.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import type { InvoiceFormState } from '../../editor/invoice-form-state.ts';
import type { Recipients } from '../../editor/recipients.ts';

interface Terms {
  readonly reference: string;
  readonly dueDays: number;
}

const DEFAULTS: Terms = { reference: '', dueDays: DEFAULT_DUE_DAYS };

/**
 * The customer that a new invoice is to, when it is to one alone (CUS-14); undefined while it is fetched, null for none
 * or several.
 */
export function useOnlyCustomer({ customers, group }: Recipients): Customer | null | undefined {
  const [only, another] = customers;
  const isOne = only !== undefined && another === undefined && group === null;
  const number = only?.customerNumber ?? 0;
  const { data, isError } = useQuery({ ...customerQuery(number), enabled: isOne });
  return isOne ? (isError ? null : data) : null;
}

/**
 * Proposes the reference and the due days of the only customer. Keeps a value that differs from the latest proposal, and
 * due days from a template.
 *
 * @param isFixed whether the form holds a stored, copied or restored invoice, for which nothing is proposed
 */
export function useCustomerTerms(
  form: InvoiceFormState,
  customer: Customer | null | undefined,
  isFixed: boolean,
): void {
  const latest = useRef(DEFAULTS);
  const propose = useEffectEvent((terms: Terms) => {
    if (isFixed) return;
    const { templateId, reference, dueDays } = form.getValues();
    const before = latest.current;
    const isOwn = (reference ?? '') !== before.reference && (reference ?? '') !== terms.reference;
    if (!isOwn) form.setValue('reference', terms.reference);
    const areOwn = dueDays !== before.dueDays && dueDays !== terms.dueDays;
    if (!areOwn && templateId == null) form.setValue('dueDays', terms.dueDays);
    latest.current = {
      reference: isOwn ? before.reference : terms.reference,
      dueDays: areOwn || templateId != null ? before.dueDays : terms.dueDays,
    };
  });
  const isAsking = customer === undefined;
  const reference = customer?.reference ?? DEFAULTS.reference;
  const dueDays = customer?.dueDays ?? DEFAULTS.dueDays;
  useEffect(() => {
    if (!isAsking) propose({ reference, dueDays });
  }, [isAsking, reference, dueDays]);
}
