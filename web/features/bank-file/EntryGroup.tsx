import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import {
  ENTRIES_PER_PAGE,
  type BankEntry,
  type BankFileBrief,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { formatDate } from '../../../domain/date.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/count.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { MoneyItem, MoneyList } from '../../ui/MoneyList.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { bankEntriesQuery } from './bank-file.api.ts';
import { OUTCOME_LABELS, outcomeText } from './bank-file-labels.ts';
import styles from './EntryGroup.module.css';
import { EntryFate } from './EntryFate.tsx';

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
        <EntryFate entry={entry} isBooked={isBooked} />
        {entry.kidIsWrong
          ? ' KID-en har feil kontrollsiffer: Betaleren kan ha skrevet feil.'
          : null}
      </p>
    </MoneyItem>
  );
}
