import { useState, type ReactNode } from 'react';

import { deletionNeeds, hasFile } from '../../../domain/export/export-file.ts';
import type { CompanyExport } from '../../../domain/export/export.schema.ts';
import { formatInstant } from '../../../domain/date.ts';
import { copyText } from '../../lib/copy-text.ts';
import { showKroner } from '../../lib/number-text.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Modal.tsx';
import { DownloadIcon, TrashIcon } from '../../ui/icons.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { useCan } from '../session/session.api.ts';
import { download, isLinkUnsent, useDeleteExport } from './export.api.ts';
import {
  countDocuments,
  dayText,
  deletionText,
  KIND_LABELS,
  numbersOf,
  periodText,
  STATE_LABELS,
} from './export-labels.ts';

const COLUMNS = [
  { heading: 'Hva', width: '120px' },
  { heading: 'Når', width: '208px' },
  { heading: 'Periode', width: '136px' },
  { heading: 'Nummer' },
  { heading: 'Sum', width: '168px', align: 'end' },
  { heading: 'Fil', width: '196px' },
  { heading: '', label: 'Handlinger', width: '112px' },
] as const;

export function ExportTable({ exports }: { exports: readonly CompanyExport[] }) {
  const [asked, setAsked] = useState<CompanyExport>();
  const remove = useDeleteExport('Filen er slettet.');
  const close = () => setAsked(undefined);
  return (
    <>
      <Pages items={exports}>
        {(shown) => (
          <Table label="Tidligere eksporter" columns={COLUMNS}>
            {shown.map((made) => (
              <ExportRow key={made.uuid} made={made} onDelete={() => setAsked(made)} />
            ))}
          </Table>
        )}
      </Pages>
      <ConfirmDialog
        title="Slette filen"
        confirmLabel="Slett filen"
        open={asked !== undefined}
        pending={remove.isPending}
        onClose={close}
        onConfirm={() => (asked ? remove.mutate(asked.uuid, { onSuccess: close }) : undefined)}
      >
        {asked ? deletionText(asked) : null}
      </ConfirmDialog>
    </>
  );
}

function ExportRow({ made, onDelete }: { made: CompanyExport; onDelete: () => void }) {
  const { uuid, kind, gross, vat, createdAt, by } = made;
  const canDelete = useCan(deletionNeeds(made));
  const name = `${KIND_LABELS[kind]} fra ${formatInstant(createdAt)}`;
  return (
    <Row onPress={hasFile(made) ? () => download(uuid) : undefined}>
      <Cell main>{KIND_LABELS[kind]}</Cell>
      <Cell label="Når">
        <Facts below={by}>{formatInstant(createdAt)}</Facts>
      </Cell>
      <Cell label="Periode">
        <Facts>{kind === 'ARCHIVE' ? 'Alt' : periodText(made)}</Facts>
      </Cell>
      <Cell label="Nummer">
        <Facts below={countDocuments(made)}>{numbersOf(made) ?? '–'}</Facts>
      </Cell>
      <Cell label="Sum" align="end">
        <Facts below={`inkl. ${showKroner(vat)} mva.`}>{showKroner(gross)}</Facts>
      </Cell>
      <Cell label="Fil">
        <FileState made={made} />
      </Cell>
      <Cell actions>
        {hasFile(made) ? (
          <>
            <IconButton
              label={`Last ned ${name}`}
              icon={<DownloadIcon />}
              onClick={() => download(uuid)}
            />
            {canDelete ? (
              <IconButton label={`Slett filen: ${name}`} icon={<TrashIcon />} onClick={onDelete} />
            ) : null}
          </>
        ) : null}
      </Cell>
    </Row>
  );
}

/** The most important fact of a cell, and another below it. */
function Facts({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <div className="numeric">
      {children}
      {below ? <div className="aside">{below}</div> : null}
    </div>
  );
}

function FileState({ made }: { made: CompanyExport }) {
  const { state, expiresAt, sha256, sentTo } = made;
  if (state !== 'DONE') return <LabelBadge label={STATE_LABELS[state]} />;
  return (
    <Facts
      below={
        <>
          {sentTo ? <p>{`${isLinkUnsent(made) ? 'Ikke sendt' : 'Sendt'} til ${sentTo}`}</p> : null}
          {sha256 ? <Hash sha256={sha256} /> : null}
        </>
      }
    >
      {expiresAt === null ? 'Slettet' : `${hasFile(made) ? 'Til' : 'Utløpt'} ${dayText(expiresAt)}`}
    </Facts>
  );
}

const HASH_SHOWN = 8;

/** The file's hash, with which an auditor sees that it was not changed. */
function Hash({ sha256 }: { sha256: string }) {
  return (
    <details>
      <summary>SHA-256 {sha256.slice(0, HASH_SHOWN)}…</summary>
      <code style={{ overflowWrap: 'anywhere' }}>{sha256}</code>{' '}
      <Button variant="quiet" onClick={() => void copyText(sha256, 'SHA-256 er kopiert.')}>
        Kopier
      </Button>
    </details>
  );
}
