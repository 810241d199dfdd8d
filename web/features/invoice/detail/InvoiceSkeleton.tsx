import { Definitions } from '../../../ui/Definitions.tsx';
import { Card, Skeleton } from '../../../ui/Surface.tsx';

interface Term {
  readonly term: string;
  readonly wide?: boolean;
  readonly height?: string;
}

const TERMS: readonly Term[] = [
  { term: 'Kunde', wide: true },
  { term: 'Organisasjonsnummer', wide: true },
  { term: 'KID/melding', wide: true },
  { term: 'Status', height: '1.8em' },
  { term: 'Leveringsmetode' },
  { term: 'Betalt dato' },
  { term: 'Fakturadato' },
  { term: 'Forfallsdato' },
  { term: 'Kontonummer' },
  { term: 'Leveringsdato' },
];

/** As wide as 'Vis PDF', 'Kopier', 'Send purring' and 'Sett til betalt', which most invoices have. */
const BUTTON_WIDTHS = ['117px', '86px', '136px', '161px'];

/** The buttons while the invoice is fetched. */
export function InvoiceActionsSkeleton() {
  return BUTTON_WIDTHS.map((width) => (
    <Skeleton key={width} width={width} height="var(--control)" />
  ));
}

/** The screen while the invoice is fetched: what every one shows, as high as it mostly is. */
export function InvoiceSkeleton() {
  return (
    <>
      <Card heading="Oversikt">
        <Definitions
          items={TERMS.map(({ term, wide = false, height = '1em' }) => ({
            term,
            wide,
            value: <Skeleton width="110px" height={height} />,
          }))}
        />
      </Card>
      <Card heading="Leveringer">
        <Skeleton height="96px" />
      </Card>
      <Card heading="Linjer">
        <Skeleton height="330px" />
      </Card>
      <Card heading="Historikk">
        <Skeleton height="240px" />
      </Card>
    </>
  );
}
