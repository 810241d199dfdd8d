import type { ReactNode } from 'react';

import { laterCode } from '../lib/later-code.ts';
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

/** The row of buttons at the end of a dialog. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
