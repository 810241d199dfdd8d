import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';

import type { BankEntry, EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import { differenceKroner, sumKroner } from '../../../domain/money.ts';
import { paths } from '../../lib/paths.ts';
import { showKroner } from '../../lib/kroner.ts';

export function EntryFate({ entry, isBooked }: { entry: BankEntry; isBooked: boolean }) {
  return FATES[entry.outcome](entry, isBooked ? 'ble' : 'blir');
}

type Tense = 'ble' | 'blir';

const FATES: Readonly<Record<EntryOutcome, (entry: BankEntry, becomes: Tense) => ReactNode>> = {
  EXACT: (entry, becomes) => (
    <>
      <Placed entry={entry} /> {becomes} betalt.
    </>
  ),
  PART: (entry, becomes) => (
    <>
      <Placed entry={entry} /> {becomes} delvis betalt.
    </>
  ),
  OVER: (entry, becomes) => (
    <>
      <Placed entry={entry} /> {becomes} betalt. {restOf(entry)} for mye {becomes} stående til gode
      hos kunden.
    </>
  ),
  SETTLED: (entry, becomes) => (
    <>
      <Placed entry={entry} /> er gjort opp fra før. Hele beløpet {becomes} stående til gode hos
      kunden.
    </>
  ),
  SUGGESTED: ({ suggestion }, becomes) => (
    <>
      {UNPLACED[becomes]}. Forslag:{' '}
      <InvoiceLinks numbers={suggestion?.invoices.map((one) => one.invoiceNumber) ?? []} />.
    </>
  ),
  REVERSAL: ({ invoiceNumber }) =>
    invoiceNumber === null ? (
      'Banken har tilbakeført en innbetaling.'
    ) : (
      <>
        Banken har tilbakeført en betaling av <InvoiceLinks numbers={[invoiceNumber]} />.
      </>
    ),
  UNPLACED: (_entry, becomes) => `${UNPLACED[becomes]}, så du kan koble den selv.`,
  POSSIBLE_COPY: (_entry, becomes) =>
    `${UNPLACED[becomes]}, så du kan koble den selv eller forkaste kopien.`,
  KNOWN: () => 'Er bokført fra før, og bokføres ikke en gang til.',
};

const UNPLACED: Readonly<Record<Tense, string>> = {
  ble: 'Ble ikke koblet til faktura',
  blir: 'Blir ikke koblet til faktura',
};

/** The invoices on which an entry is booked; for a known entry, its invoice. */
function Placed({ entry: { placements, invoiceNumber } }: { entry: BankEntry }) {
  const numbers = placements.map((placement) => placement.invoiceNumber);
  const own = invoiceNumber === null ? [] : [invoiceNumber];
  return <InvoiceLinks numbers={numbers.length > 0 ? numbers : own} isFirst />;
}

/** The part of an entry's amount that goes to no invoice. */
function restOf({ amount, placements }: BankEntry): string {
  const placed = sumKroner(placements.map((placement) => placement.amount));
  return showKroner(differenceKroner(amount, placed));
}

interface InvoiceLinksProps {
  readonly numbers: readonly number[];
  /** Capitalizes the word, for the start of a sentence. */
  readonly isFirst?: boolean;
}

/** 'faktura 1043', 'fakturaene 1043, 1044 og 1045', each number a link. */
export function InvoiceLinks({ numbers, isFirst = false }: InvoiceLinksProps) {
  const word = numbers.length > 1 ? 'fakturaene' : 'faktura';
  return (
    <>
      {isFirst ? word.replace('f', 'F') : word}{' '}
      {numbers.map((number, index) => (
        <Fragment key={number}>
          {index === 0 ? '' : index === numbers.length - 1 ? ' og ' : ', '}
          <Link to={paths.invoice(number)}>{number}</Link>
        </Fragment>
      ))}
    </>
  );
}
