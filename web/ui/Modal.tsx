import type { ReactNode } from 'react';

import { laterCode } from '../lib/later-code.ts';
import styles from './Modal.module.css';
import type { ModalProps } from './ModalContent.tsx';
import { useLaterCode } from './useLaterCode.ts';

const content = laterCode(async () => import('./ModalContent.tsx'));

/** A dialog above the screen. Its code comes after the screen's, which is shown without it. */
export function Modal(props: ModalProps) {
  // Closed, it can be opened once more.
  const need = { isNeeded: props.open, what: 'Dialogen', onFailure: props.onClose };
  const code = useLaterCode(content, need);
  return code ? <code.ModalContent {...props} /> : null;
}

/** What a dialog ends with. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
