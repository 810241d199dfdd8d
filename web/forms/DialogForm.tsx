import { type ReactNode, useState } from 'react';
import type { FieldValues } from 'react-hook-form';

import { Button, type ButtonProps } from '../ui/Button.tsx';
import { FormButtons, Modal } from '../ui/Modal.tsx';
import { GuardedForm, type GuardedFormProps } from './GuardedForm.tsx';
import { leave } from './unsaved-input.tsx';

interface DialogFormProps<I extends FieldValues, O, R, B> extends GuardedFormProps<I, O, R, B> {
  readonly submitLabel: string;
  readonly onClose: () => void;
}

/** The form of a dialog, above its buttons. Closes the dialog when it is saved, unless `onSaved` says what happens then. */
export function DialogForm<I extends FieldValues, O, R, B>(props: DialogFormProps<I, O, R, B>) {
  const { submitLabel, onClose, children, ...form } = props;
  return (
    <GuardedForm onSaved={onClose} {...form}>
      {children}
      <FormButtons
        label={submitLabel}
        pending={form.save.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'title' | 'children' | 'onClick'> {
  readonly label: string;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}

/** A button with the dialog that it opens. `pending` is that of the dialog's act. */
export function DialogButton(props: DialogButtonProps) {
  const { label, title, description, pending, children, ...button } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal {...{ title, description, pending }} open={isOpen} onClose={() => leave(close)}>
        {isOpen ? children(close) : null}
      </Modal>
    </>
  );
}
