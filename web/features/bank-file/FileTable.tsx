import { Link } from 'react-router';

import type { BankFileBrief } from '../../../domain/bank-file/bank-file.schema.ts';
import { formatDate, formatInstant } from '../../../domain/date.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { IconLink } from '../../ui/Button.tsx';
import { showCount } from '../../lib/count.ts';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { FILE_STATE_LABELS } from './bank-file-labels.ts';

const COLUMNS: readonly ListColumn<BankFileBrief>[] = [
  {
    heading: 'Fil',
    kind: 'main',
    cell: ({ uuid, name }) => <Link to={paths.bankFile(uuid)}>{name}</Link>,
  },
  {
    heading: 'Lest',
    width: '170px',
    numeric: true,
    cell: ({ createdAt }) => formatInstant(createdAt),
  },
  { heading: 'Periode', width: '210px', numeric: true, cell: (file) => periodOf(file) },
  { heading: 'Antall', width: '90px', align: 'end', cell: ({ count }) => showCount(count) },
  { heading: 'Sum', width: '150px', align: 'end', cell: ({ sum }) => showKroner(sum) },
  {
    heading: 'Status',
    width: '140px',
    cell: ({ state }) => <LabelBadge label={FILE_STATE_LABELS[state]} />,
  },
  {
    heading: '',
    label: 'Handlinger',
    width: '64px',
    cell: ({ uuid, name }) => (
      <IconLink to={paths.bankFile(uuid)} label={`Åpne ${name}`} icon={<ChevronRightIcon />} />
    ),
  },
];

export function FileTable({ files }: { files: readonly BankFileBrief[] }) {
  return (
    <Pages items={files}>
      {(items) => (
        <ListTable
          label="Filer fra banken"
          columns={COLUMNS}
          keyOf={({ uuid }) => uuid}
          items={items}
        />
      )}
    </Pages>
  );
}

export function periodOf({ from, to }: Pick<BankFileBrief, 'from' | 'to'>): string {
  if (from === null || to === null) return '–';
  return from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`;
}
