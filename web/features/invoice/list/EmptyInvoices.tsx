import { laterCode } from '../../../lib/later-code.ts';
import { paths } from '../../../lib/paths.ts';
import { FirstLink } from '../../../ui/FirstLink.tsx';
import { FileIcon } from '../../../ui/icons.tsx';
import { Card, EmptyState } from '../../../ui/Surface.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import styles from './EmptyInvoices.module.css';

// Loaded separately: a company with invoices never needs it.
const steps = laterCode(async () => import('./FirstSteps.tsx'));

/** Shown while the company has no invoice, with the steps before the first one. */
export function EmptyInvoices({ incomplete }: { incomplete: boolean }) {
  const code = useLaterCode(steps);
  return (
    <div className={styles.start}>
      <Card heading="Kom i gang" className={styles.steps}>
        {code ? <code.FirstSteps isProfileComplete={!incomplete} /> : null}
      </Card>
      <Card className={styles.list}>
        <EmptyState
          icon={<FileIcon size={28} />}
          title="Ingen fakturaer ennå"
          action={
            <FirstLink to={paths.invoiceCreate()} incomplete={incomplete}>
              Lag den første fakturaen
            </FirstLink>
          }
        >
          {incomplete
            ? 'Fortell hvem du er og hvilken konto kundene skal betale til, så er du klar.'
            : 'Velg en kunde, skriv hva som er levert, og send. Det tar et par minutter.'}
        </EmptyState>
      </Card>
    </div>
  );
}
