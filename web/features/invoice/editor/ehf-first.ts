import { useQuery } from '@tanstack/react-query';

import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import {
  DUTY_FROM,
  dutyReasonOf,
  isAskedAbout,
} from '../../../../domain/einvoice/einvoice-duty.ts';
import { customersEhfQuery, einvoiceSettingsQuery } from '../../einvoice/einvoice.api.ts';
import {
  GROUP_ASKED_MAX,
  type Recipients,
  useRecipientCustomers,
} from '../../editor/recipients.ts';
import { useReachabilities } from '../../customer/customer.api.ts';
import { useMaySendEhf } from '../../profile/profile.api.ts';
import { useFeature } from '../../session/session.api.ts';
import type { EhfCounts } from '../SendingQuestion.tsx';

/** Whether invoices for e-mail go as EHF where their customers receive it (EINV-6). */
function useSendsEhfFirst(): boolean {
  const isOn = useFeature('einvoice');
  const maySend = useMaySendEhf();
  const { data } = useQuery({ ...einvoiceSettingsQuery, enabled: isOn });
  return isOn && maySend && data?.ehfFirst === true;
}

/** The network is asked about so many customers; of others it is known what was answered last. */
const ASKED_MAX = 20;

export interface EhfReceivers {
  /** How many receive EHF. */
  readonly able: number;
  /** The numbers of the customers who get it in place of e-mail. */
  readonly first: readonly number[];
  readonly counts: EhfCounts;
}

/** Which recipients receive EHF, and whether invoices of a delivery type reach them so; none before it is known (EINV-7). */
export function useEhfReceivers(
  recipients: Recipients,
  type: DeliveryType | null | undefined,
): EhfReceivers {
  const isOn = useFeature('einvoice');
  const maySend = useMaySendEhf();
  const sendsFirst = useSendsEhfFirst() && type === 'EMAIL';
  const { customers } = useRecipientCustomers(recipients);
  const firms = customers.filter((one) =>
    isAskedAbout(dutyReasonOf({ ...one, isExempt: false, day: DUTY_FROM })),
  );
  const numbers = firms.map(({ customerNumber }) => customerNumber);
  const asked = useReachabilities(numbers.slice(0, ASKED_MAX), { enabled: isOn });
  const isMany = isOn && firms.length > ASKED_MAX;
  const { data: answers = [] } = useQuery({ ...customersEhfQuery, enabled: isMany });
  const last = new Map(answers.map(({ customerNumber, status }) => [customerNumber, status]));
  const able = firms.filter(
    ({ customerNumber }, index) => (asked[index] ?? last.get(customerNumber)) === 'REACHABLE',
  );
  const first = sendsFirst ? able.filter(({ ehfFirst }) => ehfFirst !== false) : [];
  const isTooMany = (recipients.group?.size ?? 0) > GROUP_ASKED_MAX;
  return {
    able: able.length,
    first: first.map(({ customerNumber }) => customerNumber),
    counts: {
      first: sendsFirst && isTooMany ? null : first.length,
      otherWay: maySend && type !== 'EHF' ? able.length - first.length : 0,
    },
  };
}
