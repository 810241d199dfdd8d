import { useId } from 'react';

import { Button, type ButtonProps } from './Button.tsx';

interface ReasonedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why the button is off; undefined while it is on. */
  readonly whyOff: string | undefined;
}

/** A button that says beside it why it is off, before anybody presses it. */
export function ReasonedButton({ whyOff, ...button }: ReasonedButtonProps) {
  const id = useId();
  return (
    <div className="row gap-2">
      <Button
        {...button}
        disabled={whyOff !== undefined}
        aria-describedby={whyOff === undefined ? undefined : id}
      />
      {whyOff === undefined ? null : (
        <p id={id} className="note">
          {whyOff}
        </p>
      )}
    </div>
  );
}
