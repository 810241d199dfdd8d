import { useRef } from 'react';

import { Button, type ButtonProps } from './Button.tsx';

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'type'> {
  /** File types that the browser's dialog offers; all types by default. */
  readonly accept?: string;
  /** Whether several files may be chosen at once. */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the browser's file dialog. */
export function FileButton({ accept, multiple = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      {/* Hidden: keyboard and screen reader users operate the button. */}
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Without this, choosing the same file again gives no change event.
          target.value = '';
        }}
      />
    </>
  );
}
