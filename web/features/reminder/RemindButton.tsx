import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { LEAST_REMINDER } from '../../../domain/reminder/reminder.schema.ts';
import { laterCode } from '../../lib/later-code.ts';
import { Button } from '../../ui/Button.tsx';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { planQuery } from './reminder.api.ts';
import type { ReminderDialogProps } from './ReminderDialog.tsx';

const dialog = laterCode(async () => import('./ReminderDialog.tsx'));

/** The button 'Send purring' with its dialog, or the reason why no reminder can be sent. */
export function RemindButton({ invoice, whyNot }: { invoice: Invoice; whyNot: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const reasonId = useId();
  const isPossible = whyNot === null;
  const plan = useQuery({ ...planQuery(invoice.uuid, LEAST_REMINDER), enabled: isPossible });
  // The dialog opens with what is proposed now, so that its first field exists and gets the focus.
  if (isWanted && !(plan.isFetching && plan.failureCount === 0)) {
    setWanted(false);
    setOpen(true);
  }
  return (
    <>
      <Button
        disabled={!isPossible}
        title={whyNot ?? undefined}
        aria-describedby={isPossible ? undefined : reasonId}
        pending={isWanted}
        onClick={() => setWanted(true)}
      >
        Send purring
      </Button>
      <span id={reasonId} hidden>
        {whyNot}
      </span>
      {isPossible || isOpen ? (
        <LazyDialog invoice={isOpen ? invoice : undefined} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** Loads the dialog's code separately, after the screen and only where it may be needed. */
function LazyDialog(props: ReminderDialogProps) {
  const need = {
    isNeeded: props.invoice !== undefined,
    what: 'Dialogen',
    onFailure: props.onClose,
  };
  const code = useLaterCode(dialog, need);
  return code ? <code.ReminderDialog {...props} /> : null;
}
