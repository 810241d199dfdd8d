import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { Allowed } from '../session/Allowed.tsx';
import {
  ENTRIES_PER_PAGE,
  type BankFileBrief,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { formatBankAccount } from '../../../domain/parties.ts';
import { useRenewalAtEnd } from '../../lib/useRenewalAtEnd.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { Definitions } from '../../ui/Definitions.tsx';
import { RecordPage } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { bankFileQuery, isUnderWay } from './bank-file.api.ts';
import { BookingCard } from './BookingCard.tsx';
import { EntryGroup } from './EntryGroup.tsx';
import { FILE_STATE_LABELS, FORMAT_LABELS, outcomesOf, periodOf } from './bank-file-labels.ts';

export function BankFilePage() {
  const uuid = useParams()['uuid'] ?? '';
  const query = useQuery(bankFileQuery(uuid));
  const { data } = query;
  // Booking and undoing run in a job, and change invoices and customers.
  useRenewalAtEnd(data !== undefined && isUnderWay(data), 'payments');
  return (
    <RecordPage
      heading={data?.name ?? 'Fil fra banken'}
      aside={data ? <LabelBadge label={FILE_STATE_LABELS[data.state]} /> : null}
      query={query}
    >
      {(file) => (
        <>
          <Allowed permission="payments">
            <BookingCard file={file} />
          </Allowed>
          <Head file={file} />
          <Groups file={file} />
        </>
      )}
    </RecordPage>
  );
}

function Head({ file }: { file: BankFileBrief }) {
  const { format, accounts, count, sum, ignored } = file;
  return (
    <Card>
      <Definitions
        items={[
          { term: 'Sum', value: showKroner(sum), numeric: true },
          { term: 'Innbetalinger', value: showCount(count), numeric: true },
          { term: 'Periode', value: periodOf(file), numeric: true, wide: true },
          {
            term: accounts.length === 1 ? 'Konto' : 'Kontoer',
            value: accounts.map(formatBankAccount).join(', '),
            numeric: true,
            wide: accounts.length > 1,
          },
          { term: 'Format', value: FORMAT_LABELS[format] },
          ...(ignored > 0
            ? [{ term: 'Annet i filen', value: `${showCount(ignored)} hoppet over` }]
            : []),
        ]}
      />
    </Card>
  );
}

function Groups({ file }: { file: BankFileBrief }) {
  const groups = outcomesOf(file);
  if (groups.length === 0) return null;
  return (
    <Card flush heading="Innbetalinger i filen">
      {groups.map((group) => (
        <EntryGroup
          key={group.outcome}
          file={file}
          group={group}
          // A short file starts with its groups open.
          isOpenAtFirst={file.count <= ENTRIES_PER_PAGE}
        />
      ))}
    </Card>
  );
}
