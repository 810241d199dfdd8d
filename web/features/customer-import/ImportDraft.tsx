import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import {
  type CustomerImportResult,
  IMPORT_ROWS_MAX,
} from '../../../domain/customer/customer-import.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/count.ts';
import { leave, useLeaveGuard } from '../../forms/unsaved-input.tsx';
import { importCheckQuery } from './customer-import.api.ts';
import {
  cellKey,
  isCut,
  padPostalCodes,
  toRows,
  type Corrections,
  type SourcedRow,
} from './rows.ts';
import { useList, type List, type Source } from './useList.ts';
import { ColumnsCard } from './ColumnsCard.tsx';
import { FaultList } from './FaultList.tsx';
import { FIRST_WISHES, ImportCard, type ImportWishes, type Padding } from './ImportCard.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { Progress } from './Progress.tsx';

interface ImportDraftProps {
  readonly source: Source;
  readonly onRestart: () => void;
  readonly onImported: (result: CustomerImportResult) => void;
}

export function ImportDraft({ source, onRestart, onImported }: ImportDraftProps) {
  const { list, read } = useList(source);
  const [wishes, onWishes] = useState(FIRST_WISHES);
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
        name={source.name}
        list={list}
        onRead={(changes) => leave(() => read(changes))}
        onRestart={() => leave(onRestart)}
      />
      {/* Remounts when the columns change: the corrections were typed for cells of the previous columns. */}
      <Rows key={list.columns.join(' ')} {...{ list, wishes, onWishes, onImported }} />
    </>
  );
}

interface RowsProps extends Pick<CheckedRowsProps, 'wishes' | 'onWishes' | 'onImported'> {
  readonly list: List;
}

function Rows({ list, ...rest }: RowsProps) {
  const [corrections, setCorrections] = useState<Corrections>(new Map());
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  const [padsPostalCodes, setPads] = useState(true);
  useLeaveGuard({
    isUnsaved: () => corrections.size > 0 || skipped.size > 0,
    discard: () => {
      setCorrections(new Map());
      setSkipped(new Set());
    },
  });
  const takeBack = () => setSkipped(new Set());
  const { table, isHeaded, columns } = list;
  const written = useMemo(() => {
    const lines = isHeaded ? table.lines.slice(1) : table.lines;
    return toRows(lines, { columns, corrections, skipped });
  }, [table, isHeaded, columns, corrections, skipped]);
  const rows = useMemo(
    () => (padsPostalCodes ? padPostalCodes(written) : written),
    [written, padsPostalCodes],
  );
  const obstacle = obstacleOf(list, rows);
  return obstacle === null ? (
    <CheckedRows
      rows={rows}
      skipped={skipped.size}
      padding={{ count: written.filter(isCut).length, isOn: padsPostalCodes, set: setPads }}
      onCorrect={(line, field, value) =>
        setCorrections(new Map(corrections).set(cellKey(line, field), value))
      }
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
function obstacleOf({ columns }: List, rows: readonly SourcedRow[]) {
  if (columns.every((target) => target === null)) {
    return {
      title: 'Ingen kolonner er gjenkjent.',
      help: 'Velg hva kolonnene er. Nye kunder trenger minst et navn.',
    };
  }
  if (rows.length === 0) return { title: 'Det er ingen rader å importere.', help: null };
  if (rows.length <= IMPORT_ROWS_MAX) return null;
  return {
    title: `Listen har ${showCount(rows.length)} rader.`,
    help: 'Det går an å importere 10 000 om gangen. Del listen i flere filer.',
  };
}

interface CheckedRowsProps {
  readonly rows: readonly SourcedRow[];
  readonly skipped: number;
  readonly padding: Padding;
  readonly wishes: ImportWishes;
  readonly onWishes: (wishes: ImportWishes) => void;
  readonly onCorrect: Parameters<typeof FaultList>[0]['onCorrect'];
  readonly onSkip: (lines: readonly number[]) => void;
  readonly onTakeBack: () => void;
  readonly onImported: (result: CustomerImportResult) => void;
}

function CheckedRows(props: CheckedRowsProps) {
  const { rows, onCorrect, onSkip, ...rest } = props;
  const [share, setShare] = useState(0);
  const check = useQuery(importCheckQuery(rows, setShare));
  const label = `Kontrollerer ${countOf(rows.length, 'rad', 'rader')}`;
  if (check.isError)
    return <CheckFailure error={check.error} onRetry={() => void check.refetch()} />;
  if (check.data === undefined) return <Progress label={label} share={share} />;
  const { faults } = check.data.found;
  return (
    <>
      {check.isPlaceholderData ? <Progress label={label} share={share} /> : null}
      {faults.length > 0 ? (
        <FaultList checked={check.data} onCorrect={onCorrect} onSkip={onSkip} />
      ) : null}
      <ImportPreview checked={check.data} />
      <ImportCard
        checked={check.data}
        isChecking={check.isPlaceholderData}
        onRefused={() => void check.refetch()}
        {...rest}
      />
    </>
  );
}

function CheckFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (hasStatus(error, 413)) {
    return (
      <Alert tone="error" live title="Listen er for stor.">
        Det er plass til 8 MB om gangen. Del listen i flere filer.
      </Alert>
    );
  }
  if (hasStatus(error, 409)) {
    return (
      <Alert tone="error" live title="Det er ikke nok ledige kundenumre etter det høyeste.">
        Ta med en kolonne med kundenumre.
      </Alert>
    );
  }
  return <LoadFailure onRetry={onRetry} />;
}
