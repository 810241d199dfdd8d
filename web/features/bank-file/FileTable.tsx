import { useState } from 'react';
import { Link } from 'react-router';

import type { BankFileBrief } from '../../../domain/bank-file/bank-file.schema.ts';
import { formatDate, formatInstant } from '../../../domain/date.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { IconLink } from '../../ui/Button.tsx';
import { showCount } from '../../lib/count.ts';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { Pages } from '../../ui/Pager.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { FILE_STATE_LABELS } from './bank-file-labels.ts';

const COLUMNS = [
  { heading: 'Fil' },
  { heading: 'Lest', width: '170px' },
  { heading: 'Periode', width: '210px' },
  { heading: 'Antall', width: '90px', align: 'end' },
  { heading: 'Sum', width: '150px', align: 'end' },
  { heading: 'Status', width: '140px' },
  { heading: '', label: 'Handlinger', width: '64px' },
] as const;

export function FileTable({ files }: { files: readonly BankFileBrief[] }) {
  const [page, setPage] = useState(1);
  return (
    <Pages items={files} page={page} onPage={setPage}>
      {(shown) => (
        <Table label="Filer fra banken" columns={COLUMNS}>
          {shown.map((file) => (
            <FileRow key={file.uuid} file={file} />
          ))}
        </Table>
      )}
    </Pages>
  );
}

function FileRow({ file }: { file: BankFileBrief }) {
  return (
    <Row>
      <Cell main>
        <Link to={paths.bankFile(file.uuid)}>{file.name}</Link>
      </Cell>
      <Cell label="Lest" numeric>
        {formatInstant(file.createdAt)}
      </Cell>
      <Cell label="Periode" numeric>
        {periodOf(file)}
      </Cell>
      <Cell label="Antall" align="end" numeric>
        {showCount(file.count)}
      </Cell>
      <Cell label="Sum" align="end" numeric>
        {showKroner(file.sum)}
      </Cell>
      <Cell label="Status">
        <LabelBadge label={FILE_STATE_LABELS[file.state]} />
      </Cell>
      <Cell actions>
        <IconLink
          to={paths.bankFile(file.uuid)}
          label={`Åpne ${file.name}`}
          icon={<ChevronRightIcon />}
        />
      </Cell>
    </Row>
  );
}

export function periodOf({ from, to }: Pick<BankFileBrief, 'from' | 'to'>): string {
  if (from === null || to === null) return '–';
  return from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`;
}
