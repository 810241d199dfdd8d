import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { sameDayOfYear, twelveMonthsTo, yearOf } from '../../../domain/overview/periods.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { NAMES } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import type { Dates } from '../../lib/period.ts';
import { Button, ButtonAnchor } from '../../ui/Button.tsx';
import { BACKWARDS, PeriodFields, usePeriod } from '../../ui/PeriodFields.tsx';
import { Card } from '../../ui/Surface.tsx';
import { ResendButton } from '../invoice/ResendButton.tsx';
import { May } from '../session/Allowed.tsx';
import { MailList } from './MailList.tsx';
import { statementDeliveriesQuery, useDeliverStatement } from './statement.api.ts';

const PERIODS = {
  THIS_YEAR: 'I år',
  LAST_YEAR: 'I fjor',
  LAST_12_MONTHS: 'Siste 12 måneder',
  DATES: 'Fra–til',
} as const;
type PeriodName = keyof typeof PERIODS;

/** A statement ends today at the latest. */
function datesOf(name: PeriodName, today: IsoDate): Dates | undefined {
  if (name === 'THIS_YEAR') return { from: yearOf(today).from, to: today };
  if (name === 'LAST_YEAR') return yearOf(sameDayOfYear(today, -1));
  return name === 'LAST_12_MONTHS' ? twelveMonthsTo(today) : undefined;
}

/** Shows and mails what a customer owes, and lists what was mailed (PORT-41). */
export function StatementCard({ customer }: { customer: Customer }) {
  const { customerNumber } = customer;
  const [today] = useState(() => todayInOslo());
  const period = usePeriod<PeriodName>('THIS_YEAR', (name) => datesOf(name, today));
  const { named, days } = period;
  const fault = days && faultOf(days, today);
  /** Undefined while the dates are not whole. */
  const dates = named ?? (fault === undefined ? days : undefined);
  const { data: deliveries = [] } = useQuery(statementDeliveriesQuery(customerNumber));
  const [last] = deliveries;
  const send = useDeliverStatement(customerNumber);
  const addresses = invoiceAddressesOf(customer).map(readableEmail);
  return (
    <Card heading="Kontoutskrift">
      <div className="stack gap-4">
        <PeriodFields
          period={period}
          labels={PERIODS}
          hint={named && `${formatDate(named.from)}–${formatDate(named.to)}`}
          fault={fault}
        />
        <div className="row gap-2">
          {dates ? (
            <ButtonAnchor href={paths.statementPdf(customerNumber, dates)}>Vis PDF</ButtonAnchor>
          ) : (
            <Button disabled>Vis PDF</Button>
          )}
          <May permission="issue">
            <ResendButton
              label="Send kontoutskrift"
              icon={null}
              delivery={last && { ...last, deliveryType: 'EMAIL', stoppedBy: null, unreached: [] }}
              customerNumber={customerNumber}
              pending={send.isPending}
              disabled={!dates || addresses.length === 0}
              aria-describedby="statement-addresses"
              onSend={async (recipient) => dates && send.mutateAsync({ ...dates, recipient })}
            />
          </May>
        </div>
        <May permission="issue">
          <p id="statement-addresses" className="note">
            {addresses.length === 0
              ? 'Kunden mangler e-postadresse.'
              : `Sendes til ${NAMES.format(addresses)}.`}
          </p>
        </May>
        <MailList label="Sendte kontoutskrifter" deliveries={deliveries} />
      </div>
    </Card>
  );
}

/** Why dates are no period of a statement (PORT-31). */
function faultOf({ from, to }: Dates, today: IsoDate): string | undefined {
  if (to > today) return 'Velg i dag, eller tidligere.';
  if (from > to) return BACKWARDS;
  return to >= sameDayOfYear(from, 5) ? 'Velg høyst fem år.' : undefined;
}
