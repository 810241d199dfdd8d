import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { May } from '../../session/Allowed.tsx';
import { useCan } from '../../session/session.api.ts';
import { customerSearchQuery } from '../../customer/customer.api.ts';
import { paths } from '../../../lib/paths.ts';
import { CheckIcon, CheckCircleIcon, SearchIcon } from '../../../ui/icons.tsx';
import { Card, EmptyState } from '../../../ui/Surface.tsx';
import styles from './EmptyInvoices.module.css';
import type { ListedStatus } from '../../../../domain/invoice/invoice-list.schema.ts';
import { Button } from '../../../ui/Button.tsx';

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
  const canComplete = useCan('profile');
  const hasCustomers = (customers.data?.length ?? 0) > 0;
  const steps: readonly Step[] = [
    {
      text: 'Fullfør profilen',
      note: isProfileComplete
        ? 'Navn, adresse og konto.'
        : 'Navn, adresse og konto må være på plass før du kan lage fakturaer.',
      isWarning: !isProfileComplete,
      path: canComplete ? paths.profile : null,
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

function StepRow({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
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

interface NoneFoundProps {
  readonly status: ListedStatus | undefined;
  readonly onAll: () => void;
}

export function NoneFound({ status, onAll }: NoneFoundProps) {
  const { title, text, isGood = false } = status ? NONE_OF[status] : NOTHING_FOUND;
  return (
    <Card>
      <EmptyState
        icon={isGood ? <CheckCircleIcon /> : <SearchIcon />}
        title={title}
        action={<Button onClick={onAll}>Vis alle fakturaer</Button>}
      >
        {text}
      </EmptyState>
    </Card>
  );
}

interface Words {
  readonly title: string;
  readonly text: string;
  /** Whether an empty list is good news. */
  readonly isGood?: boolean;
}

const NOTHING_FOUND: Words = { title: 'Ingen treff', text: 'Ingen fakturaer passer til søket.' };

const NONE_OF: Readonly<Record<ListedStatus, Words>> = {
  DRAFT: {
    title: 'Ingen utkast',
    text: 'Alt du har laget, er registrert. En ny faktura er et utkast til du registrerer den.',
    isGood: true,
  },
  REGISTERED: {
    title: 'Ingen registrerte fakturaer',
    text: 'Et utkast får nummer og kommer hit når du registrerer det. Det som er betalt, står under «Betalt».',
  },
  PAID: {
    title: 'Ingen betalte fakturaer ennå',
    text: 'Trykk på haken ved en faktura når pengene er kommet, så flyttes den hit.',
  },
  CANCELLED: {
    title: 'Ingen kansellerte fakturaer',
    text: 'En registrert faktura som slettes, blir kreditert og kommer hit.',
  },
  OUTSTANDING: {
    title: 'Alt er betalt',
    text: 'Ingen skylder deg noe på en registrert faktura.',
    isGood: true,
  },
  OVERDUE: {
    title: 'Ingenting er forfalt',
    text: 'Ingen av fakturaene som venter på betaling, har passert forfallsdatoen.',
    isGood: true,
  },
  FAILED: {
    title: 'Ingenting har feilet',
    text: 'Alt som er sendt, er levert eller på vei. Det som ikke kommer fram, viser vi her.',
    isGood: true,
  },
};
