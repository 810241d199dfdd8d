import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { sameDayOfYear, twelveMonthsTo, yearOf } from '../../../domain/overview/periods.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { parseDate } from '../../lib/date-text.ts';
import { paths } from '../../lib/paths.ts';
import type { Dates } from '../../lib/period.ts';
import { Button, ButtonAnchor } from '../../ui/Button.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Card } from '../../ui/Surface.tsx';
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
const NAMES = Object.keys(PERIODS) as PeriodName[];

/** A statement ends today at the latest. */
function datesOf(name: PeriodName, today: IsoDate): Dates | undefined {
  if (name === 'THIS_YEAR') return { from: yearOf(today).from, to: today };
  if (name === 'LAST_YEAR') return yearOf(sameDayOfYear(today, -1));
  return name === 'LAST_12_MONTHS' ? twelveMonthsTo(today) : undefined;
}

/** Shows and mails what a customer owes, and lists what was mailed (PORT-41). */
export function StatementCard({ customer }: { customer: Customer }) {
  const { customerNumber } = customer;
  const period = usePeriod();
  const send = useDeliverStatement(customerNumber);
  const addresses = invoiceAddressesOf(customer).map(readableEmail);
  const { dates } = period;
  return (
    <Card heading="Kontoutskrift">
      <div className="stack gap-4">
        <PeriodFields period={period} />
        <div className="row gap-2">
          {dates ? (
            <ButtonAnchor href={paths.statementPdf(customerNumber, dates)}>Vis PDF</ButtonAnchor>
          ) : (
            <Button disabled>Vis PDF</Button>
          )}
          <May permission="issue">
            <Button
              pending={send.isPending}
              disabled={!dates || addresses.length === 0}
              aria-describedby="statement-addresses"
              onClick={() => dates && send.mutate(dates)}
            >
              Send kontoutskrift
            </Button>
          </May>
        </div>
        <May permission="issue">
          <p id="statement-addresses" className="note">
            {addresses.length === 0
              ? 'Kunden mangler e-postadresse.'
              : `Sendes til ${new Intl.ListFormat('nb').format(addresses)}.`}
          </p>
        </May>
        <Deliveries customerNumber={customerNumber} />
      </div>
    </Card>
  );
}

function usePeriod() {
  const [today] = useState(() => todayInOslo());
  const [name, setName] = useState<PeriodName>('THIS_YEAR');
  const [typed, setTyped] = useState<Dates>({ from: '', to: '' });
  const named = datesOf(name, today);
  const [from, to] = [parseDate(typed.from), parseDate(typed.to)];
  const fault = from && to ? faultOf({ from, to }, today) : undefined;
  return {
    name,
    typed,
    setTyped,
    fault,
    choose: (next: PeriodName) => {
      // The typed dates begin with those that were chosen before.
      if (next === 'DATES' && typed.from === '' && named) setTyped(named);
      setName(next);
    },
    /** Undefined while the dates are not whole. */
    dates: named ?? (from && to && !fault ? { from, to } : undefined),
  };
}

/** Why dates are no period of a statement (PORT-31). */
function faultOf({ from, to }: Dates, today: IsoDate): string | undefined {
  if (to > today) return 'Velg i dag, eller tidligere.';
  if (from > to) return 'Velg samme dag som «Fra», eller senere.';
  return to >= sameDayOfYear(from, 5) ? 'Velg høyst fem år.' : undefined;
}

function PeriodFields({ period }: { period: ReturnType<typeof usePeriod> }) {
  const { name, typed, setTyped, fault, choose, dates } = period;
  return (
    <>
      <SelectField
        label="Periode"
        required
        hint={dates && name !== 'DATES' ? spanOf(dates) : undefined}
        value={name}
        onChange={({ target }) => choose(NAMES.find((known) => known === target.value) ?? name)}
        options={NAMES.map((known) => [known, PERIODS[known]])}
      />
      {name === 'DATES' ? (
        <div className="grid narrow">
          <DateField
            label="Fra"
            required
            value={typed.from}
            onChange={(from) => setTyped({ ...typed, from })}
          />
          <DateField
            label="Til"
            required
            value={typed.to}
            onChange={(to) => setTyped({ ...typed, to })}
            hint={fault}
            hintTone="warning"
          />
        </div>
      ) : null}
    </>
  );
}

const spanOf = ({ from, to }: Dates) => `${formatDate(from)}–${formatDate(to)}`;

function Deliveries({ customerNumber }: { customerNumber: number }) {
  const { data = [] } = useQuery(statementDeliveriesQuery(customerNumber));
  return <MailList label="Sendte kontoutskrifter" deliveries={data} />;
}
