import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';

import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/Button.tsx';
import { UploadIcon } from '../../ui/icons.tsx';
import styles from './FileDrop.module.css';

interface FileDropProps {
  readonly title: string;
  readonly label: string;
  readonly children: ReactNode;
  readonly onFiles: (files: readonly File[]) => void;
}

/**
 * Takes files by a button or by dropping them. They may be dropped anywhere on the screen: beside the field
 * the browser would open the file, and leave the screen.
 */
export function FileDrop({ title, label, children, onFiles }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useDrop(onFiles);
  return (
    <div className={classNames(styles.drop, isOver && styles.over)}>
      <span className={styles.icon}>
        <UploadIcon size={28} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{isOver ? 'Slipp filen her' : title}</p>
        <p className={styles.help}>
          {children} <span className={styles.byMouse}>Slipp den gjerne hvor som helst her.</span>
        </p>
      </div>
      <Button variant="primary" wide onClick={() => input.current?.click()}>
        {label}
      </Button>
      {/* The button stands for it, for the keyboard and for screen readers. */}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </div>
  );
}

/** Whether files are held over the screen. */
function useDrop(onFiles: (files: readonly File[]) => void): boolean {
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
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
