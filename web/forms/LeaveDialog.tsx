import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { answerLeaving } from '../lib/leaving.ts';

/** Asks whether to discard unsaved input. */
export function LeaveDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const answer = (isLeft: boolean) => {
    onClose();
    answerLeaving(isLeft);
  };
  return (
    <ConfirmDialog
      title="Forkaste det du har skrevet?"
      confirmLabel="Forkast"
      open={isOpen}
      pending={false}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      Det er ikke lagret, og blir borte hvis du går videre.
    </ConfirmDialog>
  );
}
