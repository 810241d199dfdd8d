import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { useUndoPayment } from './payment.api.ts';

export interface Done {
  readonly text: string;
  /** The uuid of the payment to undo; undefined when it cannot be undone. */
  readonly undoes: string | undefined;
}

export function LastDone({ done, onUndone }: { done: Done | undefined; onUndone: () => void }) {
  const undo = useUndoPayment();
  return (
    // Not a live region: a toast announces the same.
    <div className="part">
      {done ? (
        <Alert
          tone="success"
          action={
            done.undoes === undefined ? null : (
              <Button
                pending={undo.isPending}
                onClick={() => undo.mutate(done.undoes ?? '', { onSuccess: onUndone })}
              >
                Angre
              </Button>
            )
          }
        >
          {done.text}
        </Alert>
      ) : null}
    </div>
  );
}
