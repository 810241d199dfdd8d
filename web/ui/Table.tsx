import type { MouseEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';

import styles from './Table.module.css';
import { classNames } from '../lib/class-names.ts';
import { ChevronDownIcon } from './icons.tsx';

export interface Column {
  /** Empty for a column that holds only buttons; `label` then names it for screen readers. */
  readonly heading: string;
  readonly label?: string;
  readonly align?: 'end';
  readonly width?: string;
  /** Hides the column in a narrow table. Another cell must repeat its content. */
  readonly roomy?: boolean;
  /** The sort key of the column; absent when rows cannot be sorted by it. */
  readonly sort?: string;
  /** A control instead of the heading text. */
  readonly control?: ReactNode;
}

export interface Sorting {
  /** The `sort` of the sorted column; undefined when the order is not by a column. */
  readonly by: string | undefined;
  readonly isDescending: boolean;
  readonly onSort: (by: string) => void;
}

/**
 * The elements' native roles, set explicitly: on a phone CSS changes their `display`, and some browsers then
 * drop the table semantics.
 */
const as = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell') => ({ role });

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
  readonly busy?: boolean;
  readonly sorting?: Sorting | undefined;
  /** Two lines a row on a phone: the main cell, and what is `below`. */
  readonly short?: boolean;
  readonly className?: string | undefined;
}

/** A table that becomes a list of cards on a phone. */
export function Table(props: TableProps) {
  const { label, columns, children, busy = false, sorting, short = false, className } = props;
  return (
    <div className={styles.frame}>
      <table
        {...as('table')}
        className={classNames(styles.table, short && styles.short, className)}
        aria-label={label}
        aria-busy={busy || undefined}
      >
        <thead {...as('rowgroup')} className={styles.head}>
          <tr {...as('row')}>
            {columns.map((column) => (
              <th
                key={column.heading || column.label}
                {...as('columnheader')}
                scope="col"
                data-align={column.align}
                data-roomy={column.roomy}
                aria-sort={orderOf(column, sorting)}
                style={{ width: column.width }}
              >
                <Heading column={column} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as('rowgroup')} className={styles.body}>
          {children}
        </tbody>
      </table>
    </div>
  );
}

/** The `aria-sort` of a column; undefined when the column is not sortable. */
function orderOf({ sort }: Column, sorting: Sorting | undefined) {
  if (!sort || !sorting) return undefined;
  if (sort !== sorting.by) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

function Heading({ column, sorting }: { column: Column; sorting: Sorting | undefined }) {
  const { heading, label, sort, control } = column;
  if (control) return control;
  if (!heading) return <span className="visually-hidden">{label}</span>;
  if (!sort || !sorting) return heading;
  return (
    <button type="button" className={styles.sort} onClick={() => sorting.onSort(sort)}>
      {heading}
      <ChevronDownIcon />
    </button>
  );
}

interface RowProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Where a press anywhere in the row leads. A link in the row has to lead there too, for keyboards and screen readers. */
  readonly to?: string | undefined;
  /** The same for what is no address; a button of the row does it too. */
  readonly onPress?: (() => void) | undefined;
}

export function Row({ children, className, to, onPress }: RowProps) {
  const navigate = useNavigate();
  const press = (event: MouseEvent<HTMLElement>) => {
    if (!isOnRow(event)) return;
    if (onPress) onPress();
    else if (to === undefined) return;
    else if (event.ctrlKey || event.metaKey || event.button === 1) window.open(to, '_blank');
    else void navigate(to);
  };
  const isPressed = to !== undefined || onPress !== undefined;
  return (
    <tr
      {...as('row')}
      className={classNames(styles.row, isPressed && styles.pressed, className)}
      onClick={press}
      onAuxClick={press}
    >
      {children}
    </tr>
  );
}

/** Whether a press is meant for the row: not for a control in it, nor for a dialog that a control opened. */
function isOnRow({ target, currentTarget, button }: MouseEvent<HTMLElement>): boolean {
  if (button > 1 || !(target instanceof Element) || !currentTarget.contains(target)) return false;
  const isText = getSelection()?.isCollapsed === false;
  return !isText && target.closest('a, button, input, label, summary') === null;
}

interface CellProps {
  /** Shown before the value on a phone, where the table has no header row. */
  readonly label?: string;
  readonly align?: 'end';
  /** The same as the `roomy` of the column. */
  readonly roomy?: boolean;
  /** Marks the cell that identifies the row; it is the card's title on a phone. */
  readonly main?: boolean;
  /** Shown on a phone below the main cell, in a table of short rows. */
  readonly below?: boolean;
  /** Shown on a phone at the right, in the place of buttons, in a table of short rows. */
  readonly amount?: boolean;
  readonly actions?: boolean;
  readonly numeric?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

export function Cell(props: CellProps) {
  const { label, align, roomy, main, below, amount, actions, numeric, className, children } = props;
  return (
    <td
      {...as('cell')}
      data-label={label}
      data-align={align}
      data-roomy={roomy || undefined}
      className={classNames(
        styles.cell,
        main && styles.main,
        below && styles.below,
        amount && styles.amount,
        actions && styles.actions,
        numeric && 'numeric',
        numeric && styles.numeric,
        className,
      )}
    >
      {actions ? <div className={styles.buttons}>{children}</div> : children}
    </td>
  );
}
