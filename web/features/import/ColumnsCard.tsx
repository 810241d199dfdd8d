import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../lib/number-text.ts';
import { Checkbox, SelectField } from '../../ui/Field.tsx';
import { Card } from '../../ui/Surface.tsx';
import { type ColumnKind, setColumn } from './import-kind.ts';
import { type Delimiter, DELIMITERS, type Encoding, ENCODINGS } from './list-file.ts';
import type { List, Reading } from './useList.ts';
import styles from './Import.module.css';

const DELIMITER_LABELS: Readonly<Record<Delimiter, string>> = {
  ';': 'Semikolon',
  ',': 'Komma',
  '\t': 'Tabulator',
};

const ENCODING_LABELS: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (1252)',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (omvendt)',
  macintosh: 'Eldre Mac',
};

const EXAMPLES = 3;

interface ColumnsCardProps {
  readonly kind: ColumnKind;
  readonly name: string;
  readonly list: List;
  readonly onRead: (changes: Reading) => void;
  readonly onRestart: () => void;
}

export function ColumnsCard({ kind, name, list, onRead, onRestart }: ColumnsCardProps) {
  const { table, title, sums, columns, isHeaded } = list;
  const [heading, ...rest] = table.lines;
  const examplesOf = (column: number) =>
    (isHeaded ? rest : table.lines)
      .map(({ cells }) => cells[column] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, EXAMPLES);
  return (
    <Card
      heading="Kolonner"
      aside={
        <Button variant="quiet" onClick={onRestart}>
          Velg en annen liste
        </Button>
      }
    >
      <p className="note lead">
        <strong>{name}</strong> har{' '}
        {countOf(table.lines.length - (isHeaded ? 1 : 0), 'rad', 'rader')}. Se at hver kolonne er
        det den skal.
        {title === '' ? null : ` Det som står over overskriftene, er ikke med: «${title}».`}
        {sums === '' ? null : ` Summen nederst er ikke med: «${sums}».`}
      </p>
      <ul className={`grid gap-4 ${styles.columns}`} aria-label="Kolonner i listen">
        {columns.map((target, column) => (
          // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
          <li key={column}>
            <SelectField
              label={(isHeaded && heading?.cells[column]) || `Kolonne ${columnName(column)}`}
              required
              value={target ?? ''}
              hint={examplesOf(column).join(' · ') || 'Ingen verdier'}
              onChange={(event) =>
                onRead({ columns: setColumn(columns, column, event.target.value || null) })
              }
              options={[['', 'Ta ikke med'], ...Object.entries(kind.labels)]}
            />
          </li>
        ))}
      </ul>
      <Checkbox
        label="Den første raden er overskrifter"
        checked={isHeaded}
        onChange={(event) => onRead({ isHeaded: event.target.checked })}
      />
      <ReadingChoices list={list} onRead={onRead} />
    </Card>
  );
}

/** A column's name in a spreadsheet: A to Z, then AA. */
function columnName(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? letter : `${columnName(Math.floor(column / 26) - 1)}${letter}`;
}

/** Choices of encoding, delimiter and heading, for lists that were read wrongly. */
function ReadingChoices({ list, onRead }: Pick<ColumnsCardProps, 'list' | 'onRead'>) {
  return (
    <details className="note">
      <summary>Ser æ, ø og å feil ut, eller står alt i én kolonne?</summary>
      <div className={`grid gap-4 ${styles.columns}`}>
        <SelectField
          label="Skilletegn"
          required
          value={list.table.delimiter}
          onChange={(event) => onRead({ delimiter: event.target.value as Delimiter })}
          options={DELIMITERS.map((delimiter) => [delimiter, DELIMITER_LABELS[delimiter]])}
        />
        {list.encoding === null ? null : (
          <SelectField
            label="Tegnsett"
            required
            value={list.encoding}
            onChange={(event) => onRead({ encoding: event.target.value as Encoding })}
            options={ENCODINGS.map((encoding) => [encoding, ENCODING_LABELS[encoding]])}
          />
        )}
      </div>
    </details>
  );
}
