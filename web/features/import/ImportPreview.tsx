import { toCamelKey } from '../../../domain/api/case.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/count.ts';
import { Card } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import type { Found, ImportKind, ListedRow } from './import-kind.ts';
import type { Checked } from './import.api.ts';
import styles from './Import.module.css';

const SHOWN = 5;

const LINE = { heading: 'Rad', width: '64px' };
const NAME = { heading: 'Navn' };

/** The first records as they will be saved, each marked as new or known. */
export function ImportPreview<R extends ListedRow, F extends Found>(props: {
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
