import { Definitions } from '../../ui/Definitions.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';

const TERMS = [
  'Kunde',
  'Organisasjonsnummer',
  'KID/melding',
  'Status',
  'Leveringsmetode',
  'Betalt dato',
  'Fakturadato',
  'Forfallsdato',
  'Kontonummer',
  'Leveringsdato',
];

/** The screen while the invoice is fetched. */
export function InvoiceSkeleton() {
  return (
    <>
      <Card heading="Oversikt">
        <Definitions items={TERMS.map((term) => ({ term, value: <Skeleton width="110px" /> }))} />
      </Card>
      <Card heading="Leveringer">
        <Skeleton height="60px" />
      </Card>
      <Card heading="Linjer">
        <Skeleton height="180px" />
      </Card>
      <Card heading="Historikk">
        <Skeleton height="120px" />
      </Card>
    </>
  );
}
