import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { todayInOslo } from '../../../domain/date.ts';
import { isDue } from '../../../domain/recurring/recurring-dates.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useQuestion } from '../../ui/Modal.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { Alert } from '../../ui/Surface.tsx';
import {
  countRecipients,
  useNamedRecipients,
  useRecipientCustomers,
} from '../editor/recipients.ts';
import { useEhfReceivers } from '../invoice/editor/ehf-first.ts';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { draftTotals } from '../invoice/line-sums.ts';
import { planFor, SendingQuestion } from '../invoice/SendingQuestion.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { May } from '../session/Allowed.tsx';
import { useCan } from '../session/session.api.ts';
import { obstacleText } from './recurring-labels.ts';
import {
  useMayChange,
  usePauseAssignment,
  useRunAssignment,
  useRunUnderWay,
} from './recurring.api.ts';

export function AssignmentActions({ assignment }: { assignment: Assignment }) {
  const { uuid, state } = assignment;
  const canIssue = useCan('issue');
  const mayChange = useMayChange()(assignment);
  // A member who may not send cannot start an assignment that sends.
  const isPausable = state === 'ACTIVE' || (state === 'PAUSED' && mayChange);
  return (
    <>
      {isDue(assignment) && canIssue ? <RunButton assignment={assignment} /> : null}
      <May permission="edit">{isPausable ? <PauseButton assignment={assignment} /> : null}</May>
      {mayChange ? (
        <ButtonLink to={paths.assignmentEdit(uuid)} icon={<PencilIcon />}>
          Endre
        </ButtonLink>
      ) : null}
    </>
  );
}

/** 'Lag nå', which asks before it sends. While the invoices are made it is off and says how many there are. */
function RunButton({ assignment }: { assignment: Assignment }) {
  const { uuid, mode, nextDate } = assignment;
  const run = useRunAssignment();
  const { ask, dialog } = useQuestion();
  const { plan } = useRunPlan(assignment);
  const making = useRunUnderWay(assignment);
  // A late period becomes drafts (REC-8).
  const isSending = mode === 'SEND' && nextDate === todayInOslo();
  const press = async () => {
    if (!isSending || (await ask())) run.mutate(uuid);
  };
  return (
    <>
      <Button
        variant="primary"
        pending={run.isPending || making !== undefined}
        onClick={() => void press()}
      >
        {making
          ? `Lager ${showCount(making.invoiceCount)} av ${showCount(making.recipientCount)} …`
          : 'Lag nå'}
      </Button>
      <SendingQuestion plan={plan} {...dialog} />
    </>
  );
}

/** A single button for pause and resume, so that it keeps the focus when the state changes. */
function PauseButton({ assignment: { uuid, state } }: { assignment: Assignment }) {
  const pause = usePauseAssignment(uuid);
  const isPaused = state === 'PAUSED';
  return (
    <Button pending={pause.isPending} onClick={() => pause.mutate(!isPaused)}>
      {isPaused ? 'Start igjen' : 'Sett på pause'}
    </Button>
  );
}

interface ObstacleNoticeProps {
  readonly assignment: Assignment;
  /** A button or link that resolves the obstacle. */
  readonly action?: ReactNode;
}

/** The reason why no invoices can be made; renders nothing without one. */
export function ObstacleNotice({ assignment, action }: ObstacleNoticeProps) {
  const obstacle = obstacleText(assignment);
  const isTriedAgain = assignment.waitingReason !== null;
  if (obstacle === null) return null;
  return (
    <Alert
      tone="warning"
      title={isTriedAgain ? 'Neste faktura venter' : 'Ingen å fakturere'}
      action={action}
    >
      {obstacle}
      {isTriedAgain ? ' Det prøves igjen av seg selv.' : ''}
    </Alert>
  );
}

/** The most important notice about an assignment, above everything else. */
export function AssignmentNotice({ assignment }: { assignment: Assignment }) {
  const { uuid, state } = assignment;
  const isIncomplete = useIsProfileIncomplete();
  const mayChange = useMayChange()(assignment);
  if (obstacleText(assignment) !== null) {
    const action = isIncomplete ? (
      <May permission="profile">
        <ButtonLink to={paths.profile}>Fullfør profilen</ButtonLink>
      </May>
    ) : mayChange ? (
      <ButtonLink to={paths.assignmentEdit(uuid)}>Endre oppdraget</ButtonLink>
    ) : null;
    return <ObstacleNotice assignment={assignment} action={action} />;
  }
  if (state === 'PAUSED') {
    return (
      <Alert>
        Oppdraget har pause, og ingenting lages. Når du starter det igjen, går det videre med første
        dato fra og med den dagen. Det som falt bort, lages ikke.
      </Alert>
    );
  }
  if (state === 'ENDED') {
    return <Alert>Oppdraget er avsluttet. Flytter du slutten, går det videre.</Alert>;
  }
  return null;
}

/** The content of an assignment's invoices, from its template as it is now or its own, and what a run makes of it. */
export function useRunPlan(assignment: Assignment) {
  const { templateId } = assignment;
  const recipients = useNamedRecipients(assignment);
  const { customers, withoutEmail, areAll } = useRecipientCustomers(recipients);
  const templates = useQuery({ ...invoiceTemplatesQuery, enabled: templateId !== null });
  const template = templates.data?.find(({ id }) => id === templateId);
  const { deliveryType: type, dueDays } = template ?? assignment;
  const lines = template?.lines ?? assignment.invoiceLines;
  const totals = lines && draftTotals(lines);
  const { first, counts: ehf } = useEhfReceivers(recipients, type);
  const missing =
    type === 'EMAIL' && areAll
      ? withoutEmail.filter((one) => !first.includes(one.customerNumber))
      : [];
  const count = areAll ? customers.length : countRecipients(recipients);
  const plan = planFor({ count, missing, type, gross: totals?.gross, ehf });
  return { recipients, template, type, dueDays, lines, totals, count, missing, plan };
}
