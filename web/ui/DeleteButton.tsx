import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { Button } from './Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { TrashIcon } from './icons.tsx';
import { discardUnsaved } from '../lib/leaving.ts';

interface DeleteButtonProps<V> {
  readonly label: string;
  /** The dialog's title. */
  readonly title: string;
  readonly remove: UseMutationResult<unknown, Error, V>;
  /** What the request says of the thing. Undefined when it cannot be deleted. */
  readonly value: V | undefined;
  /** The screen to go to when it is deleted. */
  readonly to: string;
  /** The id of the text that says why it cannot be deleted. */
  readonly noteId?: string | undefined;
  /** The question. Told the value that it was asked about, and whether that was refused as out of date. */
  readonly children: (asked: V, isChanged: boolean) => ReactNode;
}

/** Deletes what a screen is about, once the person has confirmed it. */
export function DeleteButton<V extends string | number>(props: DeleteButtonProps<V>) {
  const { label, title, remove, value, to, noteId, children } = props;
  const navigate = useNavigate();
  // The value when the question was asked, which is the one that is confirmed, whatever it is by now.
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
        {asked === undefined ? null : children(asked, isChanged)}
      </ConfirmDialog>
    </div>
  );
}
