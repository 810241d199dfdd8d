import { Dialog } from '@ark-ui/react/dialog';
import { useRef, type ReactNode } from 'react';

import { Button } from './Button.tsx';
import styles from './ConfirmDialog.module.css';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /** Danger unless what is asked about is what one came for. */
  readonly confirmVariant?: 'danger' | 'primary';
  readonly open: boolean;
  readonly pending: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The safe answer has the focus; Escape means the same. */
export function ConfirmDialogContent(props: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root
      role="alertdialog"
      open={props.open}
      onOpenChange={({ open }) => {
        if (!open) props.onClose();
      }}
      initialFocusEl={() => cancel.current}
      // A click on the toast that tells of a refusal is not an answer.
      closeOnInteractOutside={false}
      closeOnEscape={!props.pending}
      lazyMount
      unmountOnExit
    >
      <Dialog.Backdrop className={styles.backdrop} />
      <Dialog.Positioner className={styles.positioner}>
        <Dialog.Content className={styles.content}>
          <Dialog.Title className={styles.title}>{props.title}</Dialog.Title>
          <Dialog.Description asChild>
            <div className={styles.description}>{props.children}</div>
          </Dialog.Description>
          <div className={styles.buttons}>
            <Button ref={cancel} onClick={props.onClose} disabled={props.pending}>
              Avbryt
            </Button>
            <Button
              variant={props.confirmVariant ?? 'danger'}
              pending={props.pending}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Positioner>
    </Dialog.Root>
  );
}
