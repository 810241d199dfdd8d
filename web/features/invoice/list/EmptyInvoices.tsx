import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { May } from '../../session/Allowed.tsx';
import { customerSearchQuery } from '../../customer/customer.api.ts';
import { paths } from '../../../lib/paths.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { Card } from '../../../ui/Surface.tsx';
import styles from './EmptyInvoices.module.css';

export function EmptyInvoices({ incomplete }: { incomplete: boolean }) {
  return (
    <Card heading="Kom i gang" className={styles.start}>
      <p className="soft">Ingen fakturaer ennå. Det tar et par minutter å sende den første.</p>
      <May permission="edit">
        <FirstSteps isProfileComplete={!incomplete} />
      </May>
    </Card>
  );
}

/**
 * The steps before a new user's first invoice. Stores nothing: the steps follow from the existing data. Shown while
 * the company has no invoice.
 */
function FirstSteps({ isProfileComplete }: { isProfileComplete: boolean }) {
  const customers = useQuery(customerSearchQuery('', 1));
  const hasCustomers = (customers.data?.length ?? 0) > 0;
  const steps: readonly Step[] = [
    {
      text: 'Fullfør profilen',
      note: isProfileComplete
        ? 'Navn, adresse og konto.'
        : 'Navn, adresse og konto må være på plass før du kan lage fakturaer.',
      isWarning: !isProfileComplete,
      path: paths.profile,
      isDone: isProfileComplete,
    },
    {
      text: 'Legg til en kunde',
      note: 'Firma, forening eller person.',
      path: paths.customerCreate,
      isDone: hasCustomers,
    },
    {
      text: 'Skriv en faktura',
      note: 'Send den når du er klar.',
      // The invoice form needs a completed profile.
      path: isProfileComplete ? paths.invoiceCreate() : null,
      isDone: false,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className="divided">
      {steps.map((step, index) => (
        <StepRow key={step.text} step={step} number={index + 1} isNext={index === next} />
      ))}
    </ol>
  );
}

interface Step {
  readonly text: string;
  readonly note: string;
  readonly path: string | null;
  readonly isDone: boolean;
  /** Whether other actions of the screen are disabled until this step is done. */
  readonly isWarning?: boolean;
}

interface StepRowProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

function StepRow({ step, number, isNext }: StepRowProps) {
  const { text, note, path, isDone, isWarning = false } = step;
  return (
    <li
      className={styles.step}
      data-state={isDone ? 'done' : isNext ? 'current' : undefined}
      aria-current={isNext ? 'step' : undefined}
    >
      <span className="round dot strong" aria-hidden="true">
        {isDone ? <CheckIcon /> : number}
      </span>
      <div>
        {path === null || isDone ? (
          <p className={`strong ${styles.text}`}>
            {text}
            {isDone ? <span className="visually-hidden">, gjort</span> : null}
          </p>
        ) : (
          <Link to={path} className={`strong ${styles.text}`}>
            {text}
          </Link>
        )}
        <p className="note toned" data-tone={isWarning ? 'amber' : 'gray'}>
          {note}
        </p>
      </div>
    </li>
  );
}
