import { type ReactNode, useRef, useState } from 'react';

import { laterCode } from '../lib/later-code.ts';
import { Button, type ButtonProps } from './Button.tsx';
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

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** A field about the action, above the buttons. */
  readonly choice?: ReactNode;
  /** The records that an action on many leaves out. */
  readonly leftOut?: LeftOut | undefined;
  readonly confirmLabel: string;
  /** 'danger' by default; 'primary' when the action is the purpose of the screen. */
  readonly confirmVariant?: 'danger' | 'primary' | undefined;
  readonly confirmDisabled?: boolean;
  readonly open: boolean;
  readonly pending?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before an action that cannot be undone. The cancel button has the focus; Escape cancels too. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, open, pending = false, onClose } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      {...{ title, open, pending, onClose }}
      role="alertdialog"
      description={children}
      initialFocus={cancel}
    >
      {props.choice}
      {props.leftOut ? <LeftOutList {...props.leftOut} /> : null}
      <ModalButtons>
        <Button ref={cancel} onClick={onClose} disabled={pending}>
          Avbryt
        </Button>
        <Button
          variant={props.confirmVariant ?? 'danger'}
          disabled={props.confirmDisabled ?? false}
          pending={pending}
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      </ModalButtons>
    </Modal>
  );
}

/** A sentence with the number and the reason, and a name for each, with more about it. */
export interface LeftOut {
  readonly text: string;
  readonly items: readonly { readonly key: string | number; readonly name: ReactNode }[];
}

/** The names open by a press. */
export function LeftOutList({ text, items }: LeftOut) {
  return (
    <details className="box" data-tone="amber">
      <summary>
        {text} <span className="link">Se hvem</span>
      </summary>
      <ul className="scrolls stack gap-1 pad">
        {items.map(({ key, name }) => (
          <li key={key}>{name}</li>
        ))}
      </ul>
    </details>
  );
}

interface ConfirmButtonProps
  extends
    Omit<ButtonProps, 'title' | 'pending' | 'children' | 'onClick'>,
    Omit<ConfirmDialogProps, 'open' | 'onClose' | 'onConfirm'> {
  readonly label: string;
  /** Calls `close` once it is done. */
  readonly onConfirm: (close: () => void) => void;
}

/** A button that asks, by a dialog with these children, before it acts. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, confirmLabel, confirmVariant, pending, children, onConfirm, ...button } =
    props;
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        {...{ title, confirmLabel, confirmVariant, pending }}
        open={isAsking}
        onClose={close}
        onConfirm={() => onConfirm(close)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}

/** Asks a question with a `ConfirmDialog`, which gets `dialog` as its props. `ask` resolves to the answer. */
export function useQuestion() {
  const [asked, setAsked] = useState<{ readonly answer: (isYes: boolean) => void }>();
  const answer = (isYes: boolean) => {
    setAsked(undefined);
    asked?.answer(isYes);
  };
  return {
    ask: async () => new Promise<boolean>((resolve) => setAsked({ answer: resolve })),
    dialog: {
      open: asked !== undefined,
      onClose: () => answer(false),
      onConfirm: () => answer(true),
    },
  };
}
