import type { ListedStatus } from '../../../domain/invoice/invoice-list.schema.ts';
import { SelectField } from '../../ui/Field.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { LISTED_LABELS } from '../labels.ts';
import styles from './InvoiceFilters.module.css';

interface InvoiceFiltersProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What the list may be of. */
  readonly offered: readonly ListedStatus[];
  readonly status: ListedStatus | undefined;
  readonly onStatus: (status: ListedStatus | undefined) => void;
}

export function InvoiceFilters(props: InvoiceFiltersProps) {
  const { text, onText, offered, status, onStatus } = props;
  return (
    <div className={styles.filters}>
      <SearchField
        label="Søk i fakturaer"
        placeholder="Søk på nummer eller kunde"
        value={text}
        onChange={onText}
      />
      <SelectField
        label="Status"
        hideLabel
        required
        value={status ?? ''}
        onChange={(event) => onStatus(offered.find((known) => known === event.target.value))}
      >
        <option value="">Alle statuser</option>
        {offered.map((known) => (
          <option key={known} value={known}>
            {LISTED_LABELS[known]}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
