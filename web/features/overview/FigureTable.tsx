import type { ReactNode } from 'react';

import styles from './FigureTable.module.css';

interface FigureRow {
  readonly key: string;
  readonly name: ReactNode;
  /** Numbers or dates, or links with them. */
  readonly figures: readonly ReactNode[];
}

interface FigureTableProps {
  readonly label: string;
  /** One for the names, and one for each figure. */
  readonly headings: readonly [string, ...string[]];
  readonly rows: readonly FigureRow[];
  readonly sums?: readonly string[];
}

/** A small table of figures, which stays a table on a phone. */
export function FigureTable({ label, headings, rows, sums }: FigureTableProps) {
  const [, ...columns] = headings;
  const cells = (name: ReactNode, figures: readonly ReactNode[]) => (
    <>
      <th scope="row">{name}</th>
      {columns.map((column, index) => (
        <td key={column}>{figures[index]}</td>
      ))}
    </>
  );
  return (
    <table className={`numeric ${styles.table}`} aria-label={label}>
      <thead className="soft">
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, figures }) => (
          <tr key={key}>{cells(name, figures)}</tr>
        ))}
      </tbody>
      {sums ? (
        <tfoot className="strong">
          <tr>{cells('Sum', sums)}</tr>
        </tfoot>
      ) : null}
    </table>
  );
}
