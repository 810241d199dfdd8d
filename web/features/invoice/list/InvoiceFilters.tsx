import { LISTED_STATUSES, listsOwed } from '../../../../domain/invoice/invoice-list.schema.ts';
import { classNames } from '../../../lib/class-names.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField, type Option } from '../../../ui/Field.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { LISTED_LABELS } from '../invoice-labels.ts';
import { SORT_LABELS, type ListView } from './useListView.ts';
import styles from './InvoiceFilters.module.css';

interface InvoiceFiltersProps {
  readonly view: ListView;
  readonly found: number | undefined;
  /** Whether the phone's selection mode is on. Undefined when no row can be selected. */
  readonly isSelecting: boolean | undefined;
  readonly onSelecting: (isSelecting: boolean) => void;
}

export function InvoiceFilters({ view, found, isSelecting, onSelecting }: InvoiceFiltersProps) {
  const { status, sort } = view.filter;
  return (
    <div className={`not-printed row gap-2 ${styles.filters}`}>
      <SearchField
        label="Søk i fakturaer"
        placeholder="Søk på nummer eller kunde"
        value={view.text}
        onChange={view.setText}
        found={found}
      />
      <Button
        className={styles.select}
        aria-pressed={isSelecting ?? false}
        disabled={isSelecting === undefined}
        onClick={() => onSelecting(!isSelecting)}
      >
        Velg
      </Button>
      <SelectField
        label="Status"
        hideLabel
        required
        className={styles.choice}
        value={status ?? ''}
        onChange={({ target }) =>
          view.setStatus(LISTED_STATUSES.find((known) => known === target.value))
        }
        options={[
          ['', 'Alle statuser'],
          ...LISTED_STATUSES.map((known): Option => [known, LISTED_LABELS[known]]),
        ]}
      />
      <SelectField
        label="Sortering"
        hideLabel
        required
        className={classNames(styles.choice, styles.sort)}
        value={sort ?? ''}
        onChange={({ target }) =>
          view.setSort(SORT_LABELS.find(([known]) => known === target.value)?.[0])
        }
        options={[['', listsOwed(status) ? 'Mest forfalt først' : 'Nyeste først'], ...SORT_LABELS]}
      />
    </div>
  );
}
