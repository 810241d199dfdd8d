import { useRef, type ReactNode } from 'react';

import { Button } from './Button.tsx';
import { Modal, ModalButtons } from './Modal.tsx';

interface ConfirmDialogProps {
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

/** Asks before what cannot be undone. The safe answer has the focus; Escape means the same. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, open, pending, onClose } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      {...{ title, open, pending, onClose }}
      role="alertdialog"
      description={children}
      initialFocus={cancel}
    >
      <ModalButtons>
        <Button ref={cancel} onClick={onClose} disabled={pending}>
          Avbryt
        </Button>
        <Button
          variant={props.confirmVariant ?? 'danger'}
          pending={pending}
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      </ModalButtons>
    </Modal>
  );
}
