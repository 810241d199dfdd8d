import { useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router';

import {
  ENTRIES_PER_PAGE,
  type BankEntry,
  type BankFileBrief,
  type EntryOutcome,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { formatDate } from '../../../domain/date.ts';
import { differenceKroner, sumKroner } from '../../../domain/money.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { Fetched, Skeleton } from '../../ui/Surface.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { paths } from '../../lib/paths.ts';
import { MoneyItem, MoneyList } from '../../ui/MoneyList.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { bankEntriesQuery } from './bank-file.api.ts';
import { OUTCOME_LABELS, outcomeText } from './bank-file-labels.ts';
import styles from './EntryGroup.module.css';

interface EntryGroupProps {
  readonly file: BankFileBrief;
  readonly group: BankFileBrief['outcomes'][number];
  readonly isOpenAtFirst: boolean;
}

/** The entries of a file with the same outcome, fetched when the group is opened. */
export function EntryGroup({ file, group, isOpenAtFirst }: EntryGroupProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const content = useId();
  const { tone, help } = OUTCOME_LABELS[group.outcome];
  return (
    <div>
      <h3>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          <span className="row gap-2 grow">
            <Badge tone={tone}>{outcomeText(group.outcome, file.state)}</Badge>
            <span className="note">{help}</span>
          </span>
          <span className={`row numeric ${styles.total}`}>
            <span className="soft">{showCount(group.count)} stk.</span>
            {showKroner(group.sum)}
          </span>
        </button>
      </h3>
      <div id={content} hidden={!isOpen}>
        {isOpen ? <Entries file={file} group={group} /> : null}
      </div>
    </div>
  );
}

function Entries({ file, group }: Pick<EntryGroupProps, 'file' | 'group'>) {
  const [page, setPage] = useState(1);
  const query = useQuery(bankEntriesQuery(file.uuid, group.outcome, page));
  const text = outcomeText(group.outcome, file.state);
  return (
    <Fetched query={query} pending={<Skeleton height="96px" />}>
      {({ count, results }) => (
        <>
          <MoneyList label={text}>
            {results.map((entry) => (
              <Entry key={entry.uuid} entry={entry} isBooked={file.state === 'BOOKED'} />
            ))}
          </MoneyList>
          <div className="part">
            <Pager
              label={`Sider av ${text}`}
              page={page}
              pages={Math.ceil(count / ENTRIES_PER_PAGE)}
              onPage={setPage}
            />
          </div>
        </>
      )}
    </Fetched>
  );
}

function Entry({ entry, isBooked }: { entry: BankEntry; isBooked: boolean }) {
  const { payer, amount, date, kid, text } = entry;
  return (
    <MoneyItem
      title={payer ?? 'Ukjent betaler'}
      amount={amount}
      facts={{ date: formatDate(date), kid: kid === null ? null : `KID ${kid}`, text }}
    >
      <p>
        {FATES[entry.outcome](entry, isBooked ? 'ble' : 'blir')}
        {entry.kidIsWrong
          ? ' KID-en har feil kontrollsiffer: Betaleren kan ha skrevet feil.'
          : null}
      </p>
    </MoneyItem>
  );
}

type Tense = 'ble' | 'blir';

/** Describes how an entry will be booked, or was booked. */
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
  REVERSAL: ({ invoiceNumber, placements }, becomes) =>
    becomes === 'ble' ? (
      <Reversed numbers={[...new Set(placements.map((placement) => placement.invoiceNumber))]} />
    ) : invoiceNumber === null ? (
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

/** The invoices from which a reversal was taken. Without any it is unplaced, or took unplaced money back. */
function Reversed({ numbers }: { numbers: readonly number[] }) {
  return numbers.length > 0 ? (
    <>
      Tatt tilbake fra <InvoiceLinks numbers={numbers} />.
    </>
  ) : (
    <>
      Ble ikke tatt tilbake fra noen faktura. Se <Link to={paths.payments}>Innbetalinger</Link>.
    </>
  );
}

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
