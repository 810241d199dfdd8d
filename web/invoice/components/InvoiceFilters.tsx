import { INVOICE_STATUSES, type InvoiceStatus } from '../../../domain/invoice/invoice.status.ts';
import { SelectField } from '../../ui/Field.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { STATUS_LABELS } from '../labels.ts';
import styles from './InvoiceFilters.module.css';

interface InvoiceFiltersProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly status: InvoiceStatus | undefined;
  readonly onStatus: (status: InvoiceStatus | undefined) => void;
}

export function InvoiceFilters({ text, onText, status, onStatus }: InvoiceFiltersProps) {
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
        onChange={(event) =>
          onStatus(INVOICE_STATUSES.find((known) => known === event.target.value))
        }
      >
        <option value="">Alle statuser</option>
        {INVOICE_STATUSES.map((known) => (
          <option key={known} value={known}>
            {STATUS_LABELS[known].text}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
