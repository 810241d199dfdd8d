import { todayInOslo } from '../../../../domain/date.ts';
import { DUTY_FROM } from '../../../../domain/einvoice/einvoice-duty.ts';
import type { QueueResult } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import { showCount } from '../../../lib/number-text.ts';
import type { LeftOut } from '../../../ui/Modal.tsx';
import { MendingLink } from '../MendingLink.tsx';
import type { SendingPlan } from '../SendingQuestion.tsx';

/** The plan of registering drafts, from its trial. */
export function planOfTrial(trial: QueueResult): SendingPlan {
  const { queueable, hinted, changed = [], otherWay = 0, asEhf = 0, skipped } = trial;
  const { drafts = 0, emails = 0, grossAmount = 0 } = queueable ?? {};
  const remarks = [changedText(changed.length, drafts), otherWayText(otherWay, drafts)];
  return {
    count: drafts,
    sent: emails + asEhf,
    asEhf,
    grossAmount,
    hinted,
    isDoubted: otherWay > 0 && todayInOslo() >= DUTY_FROM,
    remarks: remarks.filter((remark) => remark !== ''),
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

function changedText(changed: number, count: number): string {
  if (changed === 0) return '';
  if (changed === 1 && count === 1) return 'Den sendes som EHF, fordi kunden kan motta det.';
  return changed === 1
    ? 'Én av dem sendes som EHF i stedet for e-post, fordi kunden kan motta det.'
    : `${showCount(changed)} av dem sendes som EHF i stedet for e-post, fordi kundene kan motta det.`;
}

function otherWayText(customers: number, count: number): string {
  if (customers === 0) return '';
  const who =
    count === 1 ? 'Kunden' : `${customers === 1 ? 'Én' : showCount(customers)} av kundene`;
  return `${who} kan motta EHF, men får ikke fakturaen som EHF.`;
}
