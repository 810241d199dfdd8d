import type { ReactNode } from 'react';

import styles from './Table.module.css';
import { classNames } from './class-names.ts';

export interface Column {
  /** Empty for a column that holds only buttons; `label` then names it for screen readers. */
  readonly heading: string;
  readonly label?: string;
  readonly align?: 'end';
  readonly width?: string;
  /** Left out where there is a table and little room; another cell then says it too. */
  readonly roomy?: boolean;
}

/**
 * What the elements are anyway. On a phone they are not laid out as a table, and some browsers would no
 * longer call them one.
 */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
  readonly busy?: boolean;
}

/** A table that becomes a list of cards on a phone. */
export function Table({ label, columns, children, busy = false }: TableProps) {
  return (
    <table
      {...ROLES.table}
      className={styles.table}
      aria-label={label}
      aria-busy={busy || undefined}
    >
      <thead {...ROLES.rowgroup} className={styles.head}>
        <tr {...ROLES.row}>
          {columns.map((column) => (
            <th
              key={column.heading || column.label}
              {...ROLES.columnheader}
              scope="col"
              data-align={column.align}
              data-roomy={column.roomy}
              style={{ width: column.width }}
            >
              {column.heading || <span className={styles.hidden}>{column.label}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.rowgroup} className={styles.body}>
        {children}
      </tbody>
    </table>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr {...ROLES.row} className={styles.row}>
      {children}
    </tr>
  );
}

interface CellProps {
  /** Stands before the value on a phone, where there is no heading above it. */
  readonly label?: string;
  readonly align?: 'end';
  /** As its column's. */
  readonly roomy?: boolean;
  /** What the row is about: the card's title on a phone. */
  readonly main?: boolean;
  readonly actions?: boolean;
  readonly numeric?: boolean;
  readonly children?: ReactNode;
}

export function Cell({ label, align, roomy, main, actions, numeric, children }: CellProps) {
  return (
    <td
      {...ROLES.cell}
      data-label={label}
      data-align={align}
      data-roomy={roomy}
      className={classNames(
        styles.cell,
        main && styles.main,
        actions && styles.actions,
        numeric && styles.numeric,
      )}
    >
      {actions ? <div className={styles.buttons}>{children}</div> : children}
    </td>
  );
}
