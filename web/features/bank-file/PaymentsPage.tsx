import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';

import { Allowed, May } from '../session/Allowed.tsx';
import type { BankFile, BankFileBrief } from '../../../domain/bank-file/bank-file.schema.ts';
import { paths } from '../../lib/paths.ts';
import { paymentsQuery } from '../payment/payment.api.ts';
import { RefundedCard } from '../payment/RefundedCard.tsx';
import { UnplacedCard } from '../payment/UnplacedCard.tsx';
import { Card, EmptyState, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { BankIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { bankFilesQuery } from './bank-file.api.ts';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { UploadList, useUploads } from './UploadList.tsx';
import { formatInstant } from '../../../domain/date.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { FILE_STATE_LABELS, periodOf } from './bank-file-labels.ts';

export function PaymentsPage() {
  const navigate = useNavigate();
  const files = useQuery(bankFilesQuery);
  // Its card is above the files, and would push them down.
  const unplaced = useInfiniteQuery(paymentsQuery({ state: 'UNPLACED' }));
  const open = ({ uuid }: BankFile, isNew: boolean) => {
    if (!isNew) showSuccess('Filen er lest før. Her er den.', { follows: true });
    void navigate(paths.bankFile(uuid));
  };
  const { uploads, add, remove, retry } = useUploads(open);
  return (
    <Page heading="Innbetalinger">
      <May permission="payments">
        <FileDrop title="Les inn en fil fra banken" label="Velg fil" multiple onFiles={add}>
          Last ned OCR- eller camt-filen fra nettbanken. Du ser hva som skjer før noe bokføres.
        </FileDrop>
      </May>
      <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />
      <Fetched query={files} pending={<Skeleton height="320px" />}>
        {(read) =>
          unplaced.isPending ? (
            <Skeleton height="320px" />
          ) : (
            <>
              {/* A customer may have credit without any bank file. */}
              <Allowed permission="payments">
                <UnplacedCard hideWhenEmpty={read.length === 0} />
              </Allowed>
              {read.length === 0 ? (
                <NoFiles />
              ) : (
                <Card flush heading="Leste filer">
                  <Pages items={read}>
                    {(items) => (
                      <ListTable
                        label="Filer fra banken"
                        columns={COLUMNS}
                        keyOf={({ uuid }) => uuid}
                        items={items}
                      />
                    )}
                  </Pages>
                </Card>
              )}
              <Allowed permission="payments">
                <RefundedCard />
              </Allowed>
            </>
          )
        }
      </Fetched>
    </Page>
  );
}

function NoFiles() {
  return (
    <Card>
      <EmptyState icon={<BankIcon />} title="Ingen filer ennå">
        <May permission="payments">
          Last ned OCR- eller camt-filen fra nettbanken og velg den over.{' '}
        </May>
        Innbetalinger med KID finner fakturaen sin selv.{' '}
        <May permission="profile">
          Har du en KID-avtale med banken, legger du den inn under{' '}
          <Link to={paths.agreements}>Avtaler</Link>.
        </May>
      </EmptyState>
    </Card>
  );
}

const COLUMNS: readonly ListColumn<BankFileBrief>[] = [
  {
    heading: 'Fil',
    kind: 'main',
    path: ({ uuid }) => paths.bankFile(uuid),
    cell: ({ name }) => name,
  },
  {
    heading: 'Lest',
    width: '150px',
    numeric: true,
    cell: ({ createdAt }) => formatInstant(createdAt),
  },
  { heading: 'Periode', width: '190px', numeric: true, cell: (file) => periodOf(file) },
  { heading: 'Antall', width: '68px', align: 'end', cell: ({ count }) => showCount(count) },
  { heading: 'Sum', width: '130px', align: 'end', cell: ({ sum }) => showKroner(sum) },
  {
    heading: 'Status',
    width: '100px',
    cell: ({ state }) => <LabelBadge label={FILE_STATE_LABELS[state]} />,
  },
];
