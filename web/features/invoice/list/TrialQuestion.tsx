import type { QueueResult } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import { showCount } from '../../../lib/number-text.ts';
import type { LeftOut } from '../../../ui/Modal.tsx';
import { UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import { MendingLink } from '../MendingLink.tsx';
import { ehfRemarks, isDoubted, SendingQuestion, type SendingPlan } from '../SendingQuestion.tsx';

interface TrialQuestionProps {
  readonly trial: QueueResult | undefined;
  readonly open: boolean;
  readonly pending?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before drafts are registered, with what a trial of it said. */
export function TrialQuestion({ trial, ...dialog }: TrialQuestionProps) {
  return (
    <SendingQuestion plan={trial && planOf(trial)} {...dialog}>
      <UnprintableNotice content={trial?.unprintable} />
    </SendingQuestion>
  );
}

function planOf(trial: QueueResult): SendingPlan {
  const { queueable, hinted, changed = [], otherWay = 0, asEhf = 0, skipped } = trial;
  const { drafts = 0, emails = 0, grossAmount = 0 } = queueable ?? {};
  return {
    count: drafts,
    sent: emails + asEhf,
    asEhf,
    grossAmount,
    hinted,
    isDoubted: isDoubted(otherWay),
    remarks: ehfRemarks({ first: changed.length, otherWay }, drafts),
    left: leftOf(skipped),
  };
}

/** Drafts that cannot be registered yet, each with its reason and where to mend it. */
function leftOf(skipped: QueueResult['skipped']): LeftOut | undefined {
  const [first] = skipped;
  if (!first) return undefined;
  const isOneReason = skipped.every(({ message }) => message === first.message);
  const drafts = `${showCount(skipped.length)} utkast blir liggende`;
  return {
    text: isOneReason ? `${drafts}: ${first.message}.` : `${drafts}, av flere grunner.`,
    items: skipped.map((draft) => ({
      key: draft.uuid,
      name: (
        <>
          {draft.customerName}
          {isOneReason ? '. ' : `: ${draft.message}. `}
          <MendingLink draft={draft} />
        </>
      ),
    })),
  };
}
