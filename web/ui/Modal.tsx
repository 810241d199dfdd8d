import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react';

import { loadCode } from '../load-code.ts';
import styles from './Modal.module.css';
import type { ModalProps } from './ModalContent.tsx';
import { showToast } from './toasts.ts';

/** A dialog above the screen. Its code comes after the screen's, which is shown without it. */
export function Modal(props: ModalProps) {
  const { open, onClose } = props;
  const [Content, setContent] = useState<ComponentType<ModalProps>>();
  const isMissing = Content === undefined;
  /** Closed, it can be opened once more, and its code is asked for anew then. */
  const giveUp = useEffectEvent((error: unknown) => {
    showToast({
      tone: 'error',
      title: 'Dialogen kunne ikke vises',
      description: 'Prøv igjen, eller last siden på nytt.',
    });
    window.reportError(error);
    onClose();
  });
  useEffect(() => {
    if (!isMissing) return;
    loadCode(async () => import('./ModalContent.tsx'))
      .then(({ ModalContent }) => setContent(() => ModalContent))
      .catch((error: unknown) => {
        // Otherwise it is tried again when it is needed.
        if (open) giveUp(error);
      });
  }, [isMissing, open]);
  return Content ? <Content {...props} /> : null;
}

/** What a dialog ends with. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
