import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';

import { classNames } from '../lib/class-names.ts';
import styles from './FileDrop.module.css';
import { UploadIcon } from './icons.tsx';
import { Button, type ButtonProps } from './Button.tsx';

interface Files {
  /** File types that the browser's dialog offers; all types by default. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

interface FileDropProps extends Files {
  readonly title: string;
  readonly label: string;
  readonly children: ReactNode;
  /** Secondary where the screen has another most important button. */
  readonly variant?: 'primary' | 'secondary';
}

/** Receives files from a button, or from a drop anywhere on the screen. */
export function FileDrop(props: FileDropProps) {
  const { title, label, children, accept, multiple, variant = 'primary', onFiles } = props;
  const isOver = useFileDrop(onFiles);
  return (
    <div className={classNames('row gap-4', styles.drop, isOver && styles.over)}>
      <span className={`round badge-icon ${styles.icon}`}>
        <UploadIcon />
      </span>
      <div className="grow">
        <p className="title">{isOver ? 'Slipp filen her' : title}</p>
        <p className="note">
          {children} <span className="by-mouse">Slipp den gjerne hvor som helst her.</span>
        </p>
      </div>
      <FileButton variant={variant} wide {...{ accept, multiple, onFiles }}>
        {label}
      </FileButton>
    </div>
  );
}

/** A button that opens the browser's file dialog. */
export function FileButton({ accept, multiple = false, onFiles, ...button }: ButtonProps & Files) {
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

/**
 * Receives files that are dropped anywhere on the screen. Outside a drop area the browser would open the file
 * and leave the screen. Returns whether files are being dragged over the screen.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      take([...event.dataTransfer.files]);
    };
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => controller.abort();
  }, []);
  return isOver;
}
