import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { IMPORT_ROWS_MAX } from '../../../domain/api/list-import.ts';
import { toCamelKey } from '../../../domain/api/case.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { Alert, Card, LoadFailure } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/number-text.ts';
import { leave, useLeaveGuard } from '../../forms/unsaved-input.tsx';
import { importCheckQuery, type Checked } from './import.api.ts';
import { cellKey, toRows, type Corrections, type SourcedRow } from './rows.ts';
import { useList, type List, type Source } from './useList.ts';
import { ColumnsCard } from './ColumnsCard.tsx';
import { FaultList, type FaultListProps } from './FaultList.tsx';
import {
  ImportCard,
  SendingProgress,
  type ImportCardProps,
  type ImportExtras,
} from './ImportCard.tsx';
import type { Found, ImportKind, ListedRow, Words } from './import-kind.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import styles from './Import.module.css';

/** The props that `ImportPage` gives to the draft of an import. */
export interface ImportDraftProps<R extends ListedRow, F extends Found> {
  readonly kind: ImportKind<R, F>;
  readonly source: Source;
  readonly onRestart: () => void;
  readonly onImported: (result: F) => void;
}

interface Drafting<R extends ListedRow, F extends Found> extends ImportExtras<R, F> {
  /** Changes the rows as they were written in the list. */
  readonly mend?: ((rows: readonly SourcedRow<R>[]) => readonly SourcedRow<R>[]) | undefined;
}

export function ImportDraft<R extends ListedRow, F extends Found>(
  props: ImportDraftProps<R, F> & Drafting<R, F>,
) {
  const { source, onRestart, ...rest } = props;
  const { columns } = rest.kind;
  const { list, read } = useList(columns, source);
  const [isOn, set] = useState(true);
  if (list instanceof Error) {
    return (
      <Alert
        tone="error"
        live
        title="Listen kan ikke leses slik"
        action={
          <Button onClick={() => read({ encoding: undefined, delimiter: undefined })}>
            Tilbake
          </Button>
        }
      >
        {list.message}
      </Alert>
    );
  }
  return (
    <>
      <ColumnsCard
        kind={columns}
        name={source.name}
        list={list}
        onRead={(changes) => leave(() => read(changes))}
        onRestart={() => leave(onRestart)}
      />
      {/* Remounts when the columns change: the corrections were typed for cells of the previous columns. */}
      <Rows key={list.columns.join(' ')} list={list} update={{ isOn, set }} {...rest} />
    </>
  );
}

interface RowsProps<R extends ListedRow, F extends Found>
  extends Drafting<R, F>, Pick<ImportCardProps<R, F>, 'kind' | 'update' | 'onImported'> {
  readonly list: List;
}

function Rows<R extends ListedRow, F extends Found>(props: RowsProps<R, F>) {
  const { kind, list, mend, ...rest } = props;
  const { words, rows: rowKind } = kind;
  const [corrections, setCorrections] = useState<Corrections>(new Map());
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  useLeaveGuard({
    isUnsaved: () => corrections.size > 0 || skipped.size > 0,
    discard: () => {
      setCorrections(new Map());
      setSkipped(new Set());
    },
  });
  const correct = (line: number, field: string, value: string) => {
    const key = cellKey(line, field);
    // Enter and then leaving the field tell the same value; a new list would be sent and checked again.
    if (corrections.get(key) !== value) setCorrections(new Map(corrections).set(key, value));
  };
  const takeBack = () => setSkipped(new Set());
  const { table, isHeaded, columns } = list;
  const { written, rows } = useMemo(() => {
    const lines = isHeaded ? table.lines.slice(1) : table.lines;
    const all = toRows<R>(rowKind, lines, { columns, corrections, skipped });
    return { written: all, rows: mend?.(all) ?? all };
  }, [rowKind, table, isHeaded, columns, corrections, skipped, mend]);
  const obstacle = obstacleOf(list, rows.length, words);
  return obstacle === null ? (
    <CheckedRows
      kind={kind}
      rows={rows}
      skipped={skipped.size}
      written={written}
      onCorrect={correct}
      onSkip={(lines) => setSkipped(new Set([...skipped, ...lines]))}
      onTakeBack={takeBack}
      {...rest}
    />
  ) : (
    <Alert
      tone="warning"
      title={obstacle.title}
      action={skipped.size > 0 ? <Button onClick={takeBack}>Ta med igjen</Button> : null}
    >
      {obstacle.help}
    </Alert>
  );
}

/** The reason why a list cannot be checked yet; null when it can. */
function obstacleOf({ columns }: List, count: number, words: Words) {
  if (columns.every((target) => target === null)) {
    return {
      title: 'Ingen kolonner er gjenkjent.',
      help: `Velg hva kolonnene er. Nye ${words.many} trenger minst et navn.`,
    };
  }
  if (count === 0) return { title: 'Det er ingen rader å importere.', help: null };
  if (count <= IMPORT_ROWS_MAX) return null;
  return {
    title: `Listen har ${showCount(count)} rader.`,
    help: 'Det går an å importere 10 000 om gangen. Del listen i flere filer.',
  };
}

interface CheckedRowsProps<R extends ListedRow, F extends Found>
  extends
    Omit<ImportCardProps<R, F>, 'checked' | 'isChecking'>,
    Pick<FaultListProps, 'onCorrect' | 'onSkip'> {
  readonly rows: readonly SourcedRow<R>[];
}

function CheckedRows<R extends ListedRow, F extends Found>(props: CheckedRowsProps<R, F>) {
  const { rows, onCorrect, onSkip, ...rest } = props;
  const { kind } = rest;
  const [share, setShare] = useState(0);
  const check = useQuery(importCheckQuery(kind, rows, setShare));
  const label = `Kontrollerer ${countOf(rows.length, 'rad', 'rader')}`;
  if (check.isError) {
    const refusal = refusalOf(check.error, kind.words);
    if (!refusal) return <LoadFailure onRetry={() => void check.refetch()} />;
    return (
      <Alert tone="error" live title={refusal.title}>
        {refusal.help}
      </Alert>
    );
  }
  if (check.data === undefined) return <SendingProgress label={label} share={share} />;
  const { faults } = check.data.found;
  return (
    <>
      {check.isPlaceholderData ? <SendingProgress label={label} share={share} /> : null}
      {faults.length > 0 ? (
        <FaultList kind={kind} checked={check.data} onCorrect={onCorrect} onSkip={onSkip} />
      ) : null}
      <ImportPreview kind={kind} checked={check.data} />
      <ImportCard checked={check.data} isChecking={check.isPlaceholderData} {...rest} />
    </>
  );
}

/** The reason why a whole list is refused; undefined where another try may help. */
function refusalOf(error: Error, { conflict }: Words): Words['conflict'] | undefined {
  if (hasStatus(error, 413)) {
    const help = 'Det er plass til 8 MB om gangen. Del listen i flere filer.';
    return { title: 'Listen er for stor.', help };
  }
  return hasStatus(error, 409) ? conflict : undefined;
}

const SHOWN = 5;

const LINE = { heading: 'Rad', width: '64px' };
const NAME = { heading: 'Navn' };

/** The first records as they will be saved, each marked as new or known. */
function ImportPreview<R extends ListedRow, F extends Found>(props: {
  kind: ImportKind<R, F>;
  checked: Checked<R, F>;
}) {
  const { kind, checked } = props;
  const { rows, found } = checked;
  const known = new Map(found.known.map((match) => [match.row, match]));
  const faulty = new Set(found.faults.map(({ row }) => row));
  const shown = rows.slice(0, SHOWN);
  const fresh = kind.words.fresh === 'ny' ? 'Ny' : 'Nytt';
  const outcome = { heading: `${fresh} eller eksisterende`, width: '200px' };
  return (
    <Card
      heading="Forhåndsvisning"
      aside={
        <Badge tone="gray">
          {shown.length === rows.length
            ? 'Alle radene'
            : `De første ${shown.length} av ${showCount(rows.length)}`}
        </Badge>
      }
    >
      <div className={styles.preview}>
        <Table label="Forhåndsvisning" columns={[LINE, NAME, ...kind.preview, outcome]}>
          {shown.map(({ line, row }, index) => (
            <Row key={line}>
              <Cell label="Rad" numeric>
                {line}
              </Cell>
              <Cell label="Navn" main>
                {row.name ?? '–'}
              </Cell>
              {kind.preview.map(({ cell, heading, roomy, numeric, align }) => (
                <Cell key={heading} label={heading} {...{ roomy, numeric, align }}>
                  {cell(row, known.get(index + 1)) || '–'}
                </Cell>
              ))}
              <Cell label={outcome.heading}>
                {faulty.has(index + 1) ? (
                  <Badge tone="red">Feil</Badge>
                ) : (
                  <Outcome {...{ kind, fresh }} known={known.get(index + 1)} />
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
    </Card>
  );
}

interface OutcomeProps<R extends ListedRow, F extends Found> {
  readonly kind: ImportKind<R, F>;
  readonly fresh: string;
  readonly known: F['known'][number] | undefined;
}

function Outcome<R extends ListedRow, F extends Found>({ kind, fresh, known }: OutcomeProps<R, F>) {
  if (!known) return <Badge tone="green">{fresh}</Badge>;
  const changes = known.changes.map((field) => kind.columns.labels[toCamelKey(field)]);
  return (
    <span>
      <Badge tone="blue">{kind.nameOfKnown(known)}</Badge>{' '}
      <span className="note">
        {known.name}:{' '}
        {changes.length === 0 ? 'ingen endring' : `endrer ${changes.join(', ').toLowerCase()}`}
      </span>
    </span>
  );
}
