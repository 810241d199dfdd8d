import type { ReactNode } from 'react';

import { toCamelKey } from '../../../domain/api/case.ts';
import { COUNTRIES, countryName } from '../../../domain/country.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { formatOrgNumber, isValidOrgNumber } from '../../../domain/parties.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/count.ts';
import { Card } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { TARGET_LABELS } from './columns.ts';
import type { Checked } from './customer-import.api.ts';
import type { ImportedField, SourcedRow } from './rows.ts';
import styles from './Import.module.css';

const SHOWN = 5;

const COLUMNS = [
  { heading: 'Rad', width: '64px' },
  { heading: 'Navn' },
  { heading: 'E-post' },
  { heading: 'Adresse, telefon og nummer', roomy: true },
  { heading: 'Ny eller eksisterende', width: '200px' },
] as const;

/** The first customers as they will be saved, each marked as new or known. */
export function ImportPreview({ checked }: { checked: Checked }) {
  const { rows, found } = checked;
  const known = new Map(found.known.map((match) => [match.row, match]));
  const faulty = new Set(found.faults.map(({ row }) => row));
  const shown = rows.slice(0, SHOWN);
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
        <Table label="Forhåndsvisning" columns={COLUMNS}>
          {shown.map((source, index) => (
            <PreviewRow
              key={source.line}
              source={source}
              outcome={<Outcome known={known.get(index + 1)} isFaulty={faulty.has(index + 1)} />}
            />
          ))}
        </Table>
      </div>
    </Card>
  );
}

function PreviewRow({
  source: { line, row },
  outcome,
}: {
  source: SourcedRow;
  outcome: ReactNode;
}) {
  const place = [row.postalCode, row.city].filter(Boolean).join(' ');
  const orgNumber = row.orgNumber ?? '';
  const number = row.customerNumber === undefined ? '' : `nr. ${row.customerNumber}`;
  const more = [number, formatOrgNumber(orgNumber), row.phoneNumber, row.address1, row.address2];
  const emails = [row.email, ...(row.invoiceEmails ?? [])].filter(Boolean);
  return (
    <Row>
      <Cell label="Rad" numeric>
        {line}
      </Cell>
      <Cell label="Navn" main>
        {row.name ?? '–'}
      </Cell>
      <Cell label="E-post">
        <span>{emails.join(', ') || '–'}</span>
      </Cell>
      <Cell label="Adresse, telefon og nummer" roomy>
        {[...more, place, ...termsOf(row)].filter(Boolean).join(', ') || '–'}
        {/^\d{9}$/.test(orgNumber) && !isValidOrgNumber(orgNumber) ? (
          <span className={styles.warning}>
            {' '}
            Kontrollsifferet i organisasjonsnummeret stemmer ikke.
          </span>
        ) : null}
      </Cell>
      <Cell label="Ny eller eksisterende">{outcome}</Cell>
    </Row>
  );
}

function termsOf(row: SourcedRow['row']): readonly unknown[] {
  const { country, contactName, reference, dueDays, deliveryType, isPrivate } = row;
  return [
    isCountry(country) ? countryName(country) : country,
    contactName && `Att. ${contactName}`,
    reference && `ref. ${reference}`,
    dueDays && `${dueDays} dager`,
    deliveryType && (DELIVERY_TYPE_NAMES[deliveryType as DeliveryType] ?? deliveryType),
    isPrivate === true ? 'privatperson' : undefined,
  ];
}

function isCountry(value: unknown): value is string {
  return COUNTRIES.includes(value as string);
}

interface OutcomeProps {
  readonly known: Checked['found']['known'][number] | undefined;
  readonly isFaulty: boolean;
}

function Outcome({ known, isFaulty }: OutcomeProps) {
  if (isFaulty) return <Badge tone="red">Feil</Badge>;
  if (!known) return <Badge tone="green">Ny</Badge>;
  const changes = known.changes.map((field) => TARGET_LABELS[toCamelKey(field) as ImportedField]);
  return (
    <>
      <Badge tone="blue">Kunde {known.customerNumber}</Badge>{' '}
      <span className="note">
        {known.name}:{' '}
        {changes.length === 0 ? 'ingen endring' : `endrer ${changes.join(', ').toLowerCase()}`}
      </span>
    </>
  );
}
