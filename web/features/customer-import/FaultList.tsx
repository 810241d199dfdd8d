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

/** Lists every fault beside a field that corrects it. */
export function FaultList({ checked, onCorrect, onSkip }: FaultListProps) {
  const [page, setPage] = useState(1);
  const { rows, found } = checked;
  const lineOf = (row: number) => rows[row - 1]?.line ?? row;
  const faulty = [...new Set(found.faults.map(({ row }) => lineOf(row)))];
  return (
    <Card
      heading={`${countOf(faulty.length, 'rad', 'rader')} med feil`}
      aside={
        <Button onClick={() => onSkip(faulty)}>
          {faulty.length === 1 ? 'Utelat raden' : 'Utelat disse radene'}
        </Button>
      }
    >
      <p className={styles.help}>
        Rett verdiene her, eller utelat radene. Ingenting importeres så lenge noe er feil.
      </p>
      <Pages items={found.faults} page={page} onPage={setPage}>
        {(shown) => (
          <ul className={styles.faults}>
            {shown.map((fault) => (
              <li
                // Keyed by line: the row's index changes when earlier lines are skipped.
                key={`${lineOf(fault.row)} ${fault.field} ${fault.message}`}
                className={styles.fault}
              >
                <FaultItem
                  {...{ fault, lineOf, onSkip }}
                  row={rows[fault.row - 1]?.row ?? {}}
                  onCorrect={(field, value) => onCorrect(lineOf(fault.row), field, value)}
                />
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </Card>
  );
}

interface FaultItemProps {
  readonly fault: RowFault;
  readonly row: Checked['rows'][number]['row'];
  readonly lineOf: (row: number) => number;
  readonly onCorrect: (field: ImportedField, value: string) => void;
  readonly onSkip: (lines: readonly number[]) => void;
}

function FaultItem({ fault, row, lineOf, onCorrect, onSkip }: FaultItemProps) {
  const field = toCamelKey(fault.field) as ImportedField;
  const before = String(row[field] ?? '');
  const [value, setValue] = useState(before);
  const line = lineOf(fault.row);
  const commit = () => {
    if (value.trim() !== before) onCorrect(field, value);
  };
  return (
    <>
      <p className={styles.faultRow}>
        <strong>Rad {showCount(line)}</strong>
        {row.name === undefined || field === 'name' ? null : <span> {row.name}</span>}
      </p>
      <TextField
        label={TARGET_LABELS[field] ?? fault.field}
        required
        className={styles.faultField}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        hint={<Explanation fault={fault} field={field} lineOf={lineOf} />}
        hintTone="warning"
      />
      <Button
        variant="quiet"
        aria-label={`Utelat rad ${showCount(line)}`}
        onClick={() => onSkip([line])}
      >
        Utelat
      </Button>
    </>
  );
}

/** The fault in Norwegian, or the API's English message when there is no translation. */
function Explanation(props: Pick<FaultItemProps, 'fault' | 'lineOf'> & { field: ImportedField }) {
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
