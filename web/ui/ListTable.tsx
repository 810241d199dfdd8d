import type { Key, ReactNode } from 'react';
import { Link } from 'react-router';

import { IconLink } from './Button.tsx';
import { PencilIcon } from './icons.tsx';
import { Skeleton } from './Surface.tsx';
import { Cell, type Column, Row, Table } from './Table.tsx';

/** A column of a list: its heading and its cells. */
export interface ListColumn<T> extends Column {
  /** 'main' identifies the row; on a phone 'below' is shown under it, and 'amount' at the right. */
  readonly kind?: 'main' | 'below' | 'amount';
  /** Also a column that is aligned to the end. */
  readonly numeric?: boolean;
  /** The width of the placeholder before the rows are fetched; absent for a column of buttons. */
  readonly outline?: string;
  readonly cell: (item: T) => ReactNode;
  /** Where a press of the row leads, for the main column. Its text is the link when no other column leads there. */
  readonly path?: (item: T) => string;
  /** Where a link in the cell leads. */
  readonly leads?: (item: T) => string | undefined;
  /** Leads to forms, which only those who may create records can save. */
  readonly edits?: boolean;
}

/** A last column with a link to the form of each record; none for a record without path, which the user may not change. */
export function editColumn<T>(
  pathOf: (item: T) => string | undefined,
  nameOf: (item: T) => string,
  label = 'Endre',
): ListColumn<T> {
  return {
    heading: '',
    label,
    width: '80px',
    edits: true,
    leads: pathOf,
    cell: (item) => {
      const path = pathOf(item);
      return path === undefined ? null : (
        <IconLink to={path} label={`Endre ${nameOf(item)}`} icon={<PencilIcon />} />
      );
    },
  };
}

const OUTLINE_ROWS = [1, 2, 3];

interface ListTableProps<T> {
  readonly label: string;
  readonly columns: readonly ListColumn<T>[];
  readonly keyOf: (item: T) => Key;
  /** Two lines a row on a phone, instead of a line for each cell. */
  readonly short?: boolean | undefined;
  /** Undefined until they are fetched. */
  readonly items: readonly T[] | undefined;
}

/** A table with a row for each record, whose cells follow from the columns. */
export function ListTable<T>({ label, columns, keyOf, short, items }: ListTableProps<T>) {
  const cells = (contentOf: (column: ListColumn<T>) => ReactNode, isOutline: boolean) =>
    columns.map((column) => {
      const { heading, align, numeric = align === 'end', kind } = column;
      return (
        <Cell
          key={heading}
          label={isOutline || !heading || kind === 'amount' ? undefined : (column.label ?? heading)}
          align={align}
          numeric={numeric}
          main={kind === 'main'}
          below={kind === 'below'}
          amount={kind === 'amount'}
          actions={!heading && !isOutline}
        >
          {contentOf(column)}
        </Cell>
      );
    });
  const contentOf = (item: T, { cell, path }: ListColumn<T>) => {
    const to = path?.(item);
    const isText = to === undefined || columns.some(({ leads }) => leads?.(item) === to);
    return isText ? cell(item) : <Link to={to}>{cell(item)}</Link>;
  };
  const pathOf = columns.find(({ path }) => path)?.path;
  return (
    <Table label={label} columns={columns} busy={!items} short={short}>
      {items
        ? items.map((item) => (
            <Row key={keyOf(item)} to={pathOf?.(item)}>
              {cells((column) => contentOf(item, column), false)}
            </Row>
          ))
        : OUTLINE_ROWS.map((row) => (
            <Row key={row}>
              {cells(({ outline }) => (outline ? <Skeleton width={outline} /> : null), true)}
            </Row>
          ))}
    </Table>
  );
}
