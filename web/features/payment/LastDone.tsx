import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { useUndoPayment } from './payment.mutations.ts';
import styles from './LastDone.module.css';

/** What a person has just done with a payment. */
export interface Done {
  readonly text: string;
  /** The payment to take back, where that can be done. */
  readonly undoes: string | undefined;
}

/** Tells what was done last, and takes it back in one press. */
export function LastDone({ done, onUndone }: { done: Done | undefined; onUndone: () => void }) {
  const undo = useUndoPayment();
  return (
    // Not live: a message says the same.
    <div className={styles.done}>
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
