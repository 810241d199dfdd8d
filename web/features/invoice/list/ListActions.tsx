import { paths } from '../../../lib/paths.ts';
import { useFeature } from '../../session/session.api.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';

/** The main actions of the list. */
export function ListActions({ incomplete }: { incomplete: boolean }) {
  return (
    <>
      <ButtonLink to={paths.templates} disabled={incomplete}>
        Maler
      </ButtonLink>
      <ButtonLink
        to={paths.invoiceCreate()}
        variant="primary"
        icon={<PlusIcon />}
        disabled={incomplete}
      >
        Lag ny
      </ButtonLink>
    </>
  );
}

/** Further actions; those that do not exist yet, or are turned off, are disabled or hidden. */
export function PlannedActions() {
  const hasRecurring = useFeature('recurring');
  const hasReminders = useFeature('reminders');
  return (
    <>
      {hasRecurring ? null : <Planned>Fast oppdrag</Planned>}
      <Planned>Eksporter</Planned>
      <Planned>Del oversikt</Planned>
      {hasReminders ? (
        <ButtonLink to={paths.reminderProposals}>Forslag til purringer</ButtonLink>
      ) : null}
      {hasRecurring ? <ButtonLink to={paths.assignments}>Fast oppdrag</ButtonLink> : null}
    </>
  );
}

function Planned({ children }: { children: string }) {
  return (
    <Button variant="quiet" disabled>
      {children}
    </Button>
  );
}
