import type { ReactNode } from 'react';

import { laterCode } from '../lib/later-code.ts';
import { Button } from './Button.tsx';
import styles from './Modal.module.css';
import type { ModalProps } from './ModalContent.tsx';
import { useLaterCode } from './useLaterCode.ts';

const content = laterCode(async () => import('./ModalContent.tsx'));

/** A modal dialog. Its code is loaded after the screen, so that the screen does not wait for it. */
export function Modal(props: ModalProps) {
  // A failed load closes the dialog, so that the user can open it again.
  const need = { isNeeded: props.open, what: 'Dialogen', onFailure: props.onClose };
  const code = useLaterCode(content, need);
  return code ? <code.ModalContent {...props} /> : null;
}

export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={`row gap-2 ${styles.buttons}`}>{children}</div>;
}

interface FormButtonsProps {
  readonly label: string;
  readonly pending: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}

export function FormButtons({ label, pending, disabled, onCancel }: FormButtonsProps) {
  return (
    <ModalButtons>
      <Button disabled={pending} onClick={onCancel}>
        Avbryt
      </Button>
      <Button type="submit" variant="primary" disabled={disabled} pending={pending}>
        {label}
      </Button>
    </ModalButtons>
  );
}
