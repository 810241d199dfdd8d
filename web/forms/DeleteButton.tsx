import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Modal.tsx';
import { TrashIcon } from '../ui/icons.tsx';
import { discardUnsaved } from './unsaved-input.tsx';

interface DeleteButtonProps<V> {
  readonly label: string;
  readonly title: string;
  readonly remove: UseMutationResult<unknown, Error, V>;
  /** The argument of the `remove` mutation, such as a version. Undefined when the record cannot be deleted. */
  readonly value: V | undefined;
  readonly to: string;
  /** The id of the element with the reason why the record cannot be deleted. */
  readonly noteId?: string | undefined;
  /** The question, or its rendering from the value when the dialog opened and whether an older value was refused. */
  readonly children: ReactNode | ((asked: V, isChanged: boolean) => ReactNode);
}

/** The button that deletes the record of a page, such as 'kunde', and its question. */
export function DeleteRecord<V extends string | number>({
  what,
  ...props
}: Omit<DeleteButtonProps<V>, 'label' | 'title'> & { readonly what: string }) {
  return <DeleteButton label={`Slett ${what}`} title={`Slette ${what}`} {...props} />;
}

export function DeleteButton<V extends string | number>(props: DeleteButtonProps<V>) {
  const { label, title, remove, value, to, noteId, children } = props;
  const navigate = useNavigate();
  // The user confirms the value from when the dialog opened, even if `value` has changed since.
  const [asked, setAsked] = useState<V>();
  const isChanged = remove.isError && remove.variables !== value;
  if (isChanged && asked === remove.variables) setAsked(value);
  const open = () => {
    remove.reset();
    setAsked(value);
  };
  const close = () => setAsked(undefined);
  const confirm = (confirmed: V) =>
    remove.mutate(confirmed, {
      onSuccess: () => {
        close();
        discardUnsaved();
        void navigate(to);
      },
    });
  return (
    <div>
      <Button
        variant="danger"
        icon={<TrashIcon />}
        disabled={value === undefined}
        aria-describedby={noteId}
        onClick={open}
      >
        {label}
      </Button>
      <ConfirmDialog
        title={title}
        confirmLabel="Slett"
        open={asked !== undefined}
        pending={remove.isPending}
        onClose={close}
        onConfirm={() => (asked === undefined ? undefined : confirm(asked))}
      >
        {typeof children === 'function'
          ? asked !== undefined && children(asked, isChanged)
          : children}
      </ConfirmDialog>
    </div>
  );
}
