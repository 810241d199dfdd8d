import { laterCode } from '../../../lib/later-code.ts';
import { Card } from '../../../ui/Surface.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import styles from './EmptyInvoices.module.css';

// Loaded separately: a company with invoices never needs it.
const steps = laterCode(async () => import('./FirstSteps.tsx'));

/** Shown while the company has no invoice: the steps before the first one. */
export function EmptyInvoices({ incomplete }: { incomplete: boolean }) {
  const code = useLaterCode(steps);
  return (
    <Card heading="Kom i gang" className={styles.start}>
      <p className={styles.lead}>
        Ingen fakturaer ennå. Det tar et par minutter å sende den første.
      </p>
      {code ? <code.FirstSteps isProfileComplete={!incomplete} /> : null}
    </Card>
  );
}
