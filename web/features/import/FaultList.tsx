import { useState } from 'react';

import { toCamelKey } from '../../../domain/api/case.ts';
import type { RowFault } from '../../../domain/api/error.ts';
import { isShortened } from '../../../domain/api/list-import.ts';
import { Button } from '../../ui/Button.tsx';
import { useLeaveGuard } from '../../forms/unsaved-input.tsx';
import { countOf, formatNumber, showCount } from '../../lib/number-text.ts';
import { TextField } from '../../ui/Field.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { Card } from '../../ui/Surface.tsx';
import { SHORTENED, type Found, type ImportKind, type ListedRow } from './import-kind.ts';
import type { Checked } from './import.api.ts';
import styles from './Import.module.css';

type Explaining = Pick<ImportKind<ListedRow, Found>, 'columns' | 'explain'>;

export interface FaultListProps {
  readonly kind: Explaining;
  readonly checked: Checked<ListedRow, Found>;
  readonly onCorrect: (line: number, field: string, value: string) => void;
  readonly onSkip: (lines: readonly number[]) => void;
}

export function FaultList({ kind, checked, onCorrect, onSkip }: FaultListProps) {
  const { rows, found } = checked;
  const lineOf = (row: number) => rows[row - 1]?.line ?? row;
  const faulty = [...Map.groupBy(found.faults.map(wholeField), ({ row }) => row)];
  return (
    <Card
      heading={`${countOf(faulty.length, 'rad', 'rader')} med feil`}
      aside={
        <Button onClick={() => onSkip(faulty.map(([row]) => lineOf(row)))}>
          {faulty.length === 1 ? 'Utelat raden' : 'Utelat disse radene'}
        </Button>
      }
    >
      <p className="note lead">
        Rett verdiene her, eller utelat radene. Ingenting importeres så lenge noe er feil.
      </p>
      <Pages items={faulty}>
        {(shown) => (
          <ul className="divided">
            {shown.map(([row, faults]) => (
              // Keyed by line: the row's index changes when earlier lines are skipped.
              <li key={lineOf(row)} className={styles.fault}>
                <p className={styles.faultRow}>
                  <strong>Rad {showCount(lineOf(row))}</strong> {rows[row - 1]?.row.name}
                </p>
                <div className={`grid gap-3 ${styles.faultFields}`}>
                  {faults.map((fault) => (
                    <FaultField
                      key={`${fault.field} ${fault.message}`}
                      {...{ kind, fault, lineOf }}
                      row={rows[row - 1]?.row ?? {}}
                      onCorrect={(field, value) => onCorrect(lineOf(row), field, value)}
                    />
                  ))}
                </div>
                <Button
                  variant="quiet"
                  aria-label={`Utelat rad ${showCount(lineOf(row))}`}
                  onClick={() => onSkip([lineOf(row)])}
                >
                  Utelat
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </Card>
  );
}

/** A fault of one address concerns the cell with all of them. */
function wholeField(fault: RowFault): RowFault {
  return { ...fault, field: fault.field.replace(/\[\d+\]$/, '') };
}

interface FaultFieldProps {
  readonly kind: Explaining;
  readonly fault: RowFault;
  readonly row: object;
  readonly lineOf: (row: number) => number;
  readonly onCorrect: (field: string, value: string) => void;
}

function FaultField({ kind, fault, row, lineOf, onCorrect }: FaultFieldProps) {
  const field = toCamelKey(fault.field);
  const before = fieldText((row as Readonly<Record<string, Stored>>)[field] ?? '');
  /** Null until something is typed, and after it is discarded. */
  const [typed, setTyped] = useState<string | null>(null);
  const isUnsaved = () => typed !== null && typed.trim() !== before;
  useLeaveGuard({ isUnsaved, discard: () => setTyped(null) });
  const norwegian = isShortened(before) ? SHORTENED : kind.explain(field, fault.message, before);
  const earlier = fault.repeats === null ? '' : ` (rad ${showCount(lineOf(fault.repeats))})`;
  const commit = () => {
    if (typed !== null && isUnsaved()) onCorrect(field, typed);
  };
  return (
    <TextField
      label={kind.columns.labels[field] ?? fault.field}
      required
      value={typed ?? before}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
      hint={
        <>
          {norwegian ?? fault.message}
          {earlier}
          {norwegian === null ? null : (
            <span lang="en" className="aside">
              {' '}
              {fault.message}
            </span>
          )}
        </>
      }
      hintTone="warning"
    />
  );
}

type Stored = string | number | boolean | readonly string[];

/** A value as the user writes it: '1.125' would be read as 1125. */
function fieldText(stored: Stored): string {
  if (typeof stored === 'number') return formatNumber(stored, 3);
  return Array.isArray(stored) ? stored.join(', ') : String(stored);
}
