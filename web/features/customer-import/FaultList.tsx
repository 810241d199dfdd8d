import { useState } from 'react';

import { toCamelKey } from '../../../domain/api/case.ts';
import type { RowFault } from '../../../domain/api/error.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/count.ts';
import { TextField } from '../../ui/Field.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { Card } from '../../ui/Surface.tsx';
import { TARGET_LABELS } from './columns.ts';
import type { Checked } from './customer-import.api.ts';
import { explain } from './explain.ts';
import type { ImportedField } from './rows.ts';
import styles from './Import.module.css';

interface FaultListProps {
  readonly checked: Checked;
  readonly onCorrect: (line: number, field: ImportedField, value: string) => void;
  readonly onSkip: (lines: readonly number[]) => void;
}

export function FaultList({ checked, onCorrect, onSkip }: FaultListProps) {
  const [page, setPage] = useState(1);
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
      <Pages items={faulty} page={page} onPage={setPage}>
        {(shown) => (
          <ul className="divided">
            {shown.map(([row, faults]) => (
              // Keyed by line: the row's index changes when earlier lines are skipped.
              <li key={lineOf(row)} className={styles.fault}>
                <FaultyRow
                  {...{ faults, lineOf }}
                  line={lineOf(row)}
                  row={rows[row - 1]?.row ?? {}}
                  onCorrect={(field, value) => onCorrect(lineOf(row), field, value)}
                  onSkip={() => onSkip([lineOf(row)])}
                />
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

interface FaultyRowProps extends Omit<FaultFieldProps, 'fault'> {
  readonly faults: readonly RowFault[];
  readonly line: number;
  readonly onSkip: () => void;
}

function FaultyRow({ faults, line, row, lineOf, onCorrect, onSkip }: FaultyRowProps) {
  return (
    <>
      <p className={styles.faultRow}>
        <strong>Rad {showCount(line)}</strong> {row.name}
      </p>
      <div className={`grid gap-3 ${styles.faultFields}`}>
        {faults.map((fault) => (
          <FaultField
            key={`${fault.field} ${fault.message}`}
            {...{ fault, row, lineOf, onCorrect }}
          />
        ))}
      </div>
      <Button variant="quiet" aria-label={`Utelat rad ${showCount(line)}`} onClick={onSkip}>
        Utelat
      </Button>
    </>
  );
}

interface FaultFieldProps {
  readonly fault: RowFault;
  readonly row: Checked['rows'][number]['row'];
  readonly lineOf: (row: number) => number;
  readonly onCorrect: (field: ImportedField, value: string) => void;
}

function FaultField({ fault, row, lineOf, onCorrect }: FaultFieldProps) {
  const field = toCamelKey(fault.field) as ImportedField;
  const stored = row[field] ?? '';
  const before = Array.isArray(stored) ? stored.join(', ') : String(stored);
  const [value, setValue] = useState(before);
  const commit = () => {
    if (value.trim() !== before) onCorrect(field, value);
  };
  return (
    <TextField
      label={TARGET_LABELS[field] ?? fault.field}
      required
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
      hint={<Explanation fault={fault} field={field} lineOf={lineOf} />}
      hintTone="warning"
    />
  );
}

/** The fault in Norwegian, or the API's English message when there is no translation. */
function Explanation(props: Pick<FaultFieldProps, 'fault' | 'lineOf'> & { field: ImportedField }) {
  const { fault, field, lineOf } = props;
  const explanation = explain(field, fault.message);
  const earlier = fault.repeats === null ? '' : ` (rad ${showCount(lineOf(fault.repeats))})`;
  return (
    <>
      {explanation ?? fault.message}
      {earlier}
      {explanation === null ? null : (
        <span lang="en" className={styles.rule}>
          {' '}
          {fault.message}
        </span>
      )}
    </>
  );
}
