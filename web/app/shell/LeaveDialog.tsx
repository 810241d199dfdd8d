import { answerLeaving, useIsAsking } from '../../lib/leaving.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

/** Asks whether to discard unsaved input. */
export function LeaveDialog() {
  const isAsking = useIsAsking();
  return (
    <ConfirmDialog
      title="Forkaste det du har skrevet?"
      confirmLabel="Forkast"
      open={isAsking}
      pending={false}
      onClose={() => answerLeaving(false)}
      onConfirm={() => answerLeaving(true)}
    >
      Det er ikke lagret, og blir borte hvis du går videre.
    </ConfirmDialog>
  );
}
