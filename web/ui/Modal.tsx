import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

import styles from './Modal.module.css';
import type { ModalProps } from './ModalContent.tsx';

/** A dialog above the screen. Its code comes after the screen's, which is shown without it. */
export function Modal(props: ModalProps) {
  const { open } = props;
  const [Content, setContent] = useState<ComponentType<ModalProps>>();
  const isMissing = Content === undefined;
  useEffect(() => {
    if (!isMissing) return;
    import('./ModalContent.tsx')
      .then(({ ModalContent }) => setContent(() => ModalContent))
      .catch((error: unknown) => {
        // It is tried again when it is needed.
        if (open) throw error;
      });
  }, [isMissing, open]);
  return Content ? <Content {...props} /> : null;
}

/** What a dialog ends with. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
