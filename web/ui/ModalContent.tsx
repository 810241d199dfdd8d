import { Dialog } from '@ark-ui/react/dialog';
import { useLayoutEffect, useRef, type MouseEvent, type ReactNode, type RefObject } from 'react';

import { classNames } from '../lib/class-names.ts';
import { focusable, isDoubleTap } from './focus.ts';
import styles from './Modal.module.css';

export interface ModalProps {
  /** An alertdialog asks before an action that cannot be undone; its description is the question. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Wide enough for two columns. */
  readonly wide?: boolean;
  readonly open: boolean;
  /** While a request runs, Escape does not close the dialog. */
  readonly pending?: boolean;
  /** The element that gets the focus; the first focusable element by default. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** The element that gets the focus afterwards when the opener is gone; the screen's heading by default. */
  readonly nextFocus?: () => HTMLElement | null;
  readonly onClose: () => void;
}

/** The longest time between the taps of a double tap (milliseconds). */
const DOUBLE_TAP = 500;

export function ModalContent(props: ModalProps) {
  const { initialFocus, open } = props;
  const opener = useRef<Element>(null);
  const openedAt = useRef(0);
  useLayoutEffect(() => {
    if (!open) return;
    opener.current = document.activeElement;
    openedAt.current = performance.now();
  }, [open]);
  /** The second tap of a double tap on the opener answers nothing: nobody has read the question yet. */
  const ignoreDoubleTap = (event: MouseEvent<HTMLElement>) => {
    if (event.timeStamp - openedAt.current > DOUBLE_TAP) return;
    if (!isDoubleTap(event.nativeEvent, event.currentTarget)) return;
    // Further taps are ignored too.
    openedAt.current = event.timeStamp;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Dialog.Root
      role={props.role ?? 'dialog'}
      open={open}
      onOpenChange={(change) => {
        if (!change.open) props.onClose();
      }}
      {...(initialFocus ? { initialFocusEl: () => initialFocus.current } : {})}
      // The button that opened the dialog may have been removed meanwhile.
      finalFocusEl={() =>
        opener.current?.isConnected
          ? focusable(opener.current)
          : (props.nextFocus?.() ?? focusable(null))
      }
      // A click on a toast with an error must not close the dialog.
      closeOnInteractOutside={false}
      closeOnEscape={!props.pending}
      lazyMount
      unmountOnExit
    >
      <Dialog.Backdrop className={styles.backdrop} />
      <Dialog.Positioner className={styles.positioner}>
        <Dialog.Content
          className={classNames(styles.content, props.wide && styles.wide)}
          onClickCapture={ignoreDoubleTap}
        >
          <Dialog.Title className={styles.title}>{props.title}</Dialog.Title>
          {props.description ? (
            <Dialog.Description asChild>
              <div className={`stack gap-3 soft ${styles.description}`}>{props.description}</div>
            </Dialog.Description>
          ) : null}
          {props.children}
        </Dialog.Content>
      </Dialog.Positioner>
    </Dialog.Root>
  );
}
