import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { isDutyInForce } from '../../../../domain/einvoice/einvoice-duty.ts';
import { LISTED_STATUSES, listsOwed } from '../../../../domain/invoice/invoice-list.schema.ts';
import { classNames } from '../../../lib/class-names.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { SelectField, type Option } from '../../../ui/Field.tsx';
import { FilterIcon } from '../../../ui/icons.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { einvoiceSettingsQuery } from '../../einvoice/einvoice.api.ts';
import { useFeature } from '../../session/session.api.ts';
import { LISTED_LABELS } from '../invoice-labels.ts';
import { SORT_LABELS, type ListView } from './useListView.ts';
import styles from './InvoiceFilters.module.css';

const moreFilters = laterCode(async () => import('./MoreFilters.tsx'));

interface InvoiceFiltersProps {
  readonly view: ListView;
  readonly found: number | undefined;
  /** Whether the phone's selection mode is on. Undefined when no row can be selected. */
  readonly isSelecting: boolean | undefined;
  readonly onSelecting: (isSelecting: boolean) => void;
}

export function InvoiceFilters({ view, found, isSelecting, onSelecting }: InvoiceFiltersProps) {
  const { status, einvoice, sort } = view.filter;
  const mayHaveDuty = useFeature('einvoice') && isDutyInForce();
  const { data: law } = useQuery({ ...einvoiceSettingsQuery, enabled: mayHaveDuty });
  const hasDuty = mayHaveDuty && law?.exempt === false;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div
        className={`not-printed row gap-2 ${styles.filters}`}
        data-open={isOpen || (status ?? einvoice ?? sort) !== undefined || undefined}
      >
        <SearchField
          label="Søk i fakturaer"
          placeholder="Kunde, beløp, KID"
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
        <IconButton
          label="Flere filtre"
          icon={<FilterIcon />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <SelectField
          label="Status"
          hideLabel
          required
          className={styles.choice}
          value={status ?? einvoice ?? ''}
          onChange={({ target: { value } }) =>
            view.setStatus(
              LISTED_STATUSES.find((known) => known === value),
              value === 'OTHER_WAY' ? value : undefined,
            )
          }
          options={[
            ['', 'Alle statuser'],
            ...LISTED_STATUSES.map((known): Option => [known, LISTED_LABELS[known]]),
            ...(hasDuty || einvoice ? [['OTHER_WAY', 'Ikke sendt som EHF'] as Option] : []),
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
          options={[
            ['', listsOwed(status) ? 'Mest forfalt først' : 'Nyeste først'],
            ...SORT_LABELS,
          ]}
        />
      </div>
      {isOpen ? <More view={view} onFailure={() => setOpen(false)} /> : null}
    </>
  );
}

function More({ view, onFailure }: { view: ListView; onFailure: () => void }) {
  const code = useLaterCode(moreFilters, { isNeeded: true, what: 'Filtrene', onFailure });
  return code ? <code.MoreFilters view={view} /> : null;
}
