import { Definitions } from '../../../ui/Definitions.tsx';
import { Card, Skeleton } from '../../../ui/Surface.tsx';
import styles from './InvoiceSummary.module.css';

interface Term {
  readonly term: string;
  readonly wide?: boolean;
  readonly height?: string;
}

const FIRST: readonly Term[] = [
  { term: 'Å betale', wide: true, height: '2.1em' },
  { term: 'Kunde', wide: true },
  { term: 'Forfallsdato', height: '2.4em' },
  { term: 'Status', height: '1.8em' },
];
const TERMS: readonly Term[] = [
  { term: 'Organisasjonsnummer', wide: true },
  { term: 'KID/melding', wide: true },
  { term: 'Fakturadato' },
  { term: 'Betalt dato' },
  { term: 'Leveringsmetode' },
  { term: 'Leveringsdato' },
  { term: 'Kontonummer' },
];

/** The widths of 'Vis PDF', 'Kopier', 'Send purring' and 'Sett til betalt', which most invoices have. */
const BUTTON_WIDTHS = ['117px', '86px', '136px', '161px'];

/** The buttons while the invoice is fetched. */
export function InvoiceActionsSkeleton() {
  return BUTTON_WIDTHS.map((width) => (
    <Skeleton key={width} width={width} height="var(--control)" />
  ));
}

/** The screen while the invoice is fetched: the cards that every invoice has, in their usual heights. */
export function InvoiceSkeleton() {
  return (
    <>
      <Card heading="Oversikt">
        <div className={styles.head}>
          <Definitions items={FIRST.map(toDefinition)} />
        </div>
        <Definitions items={TERMS.map(toDefinition)} />
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

function toDefinition({ term, wide = false, height = '1em' }: Term) {
  return { term, wide, value: <Skeleton width="110px" height={height} /> };
}
