import type { ReactNode } from 'react';

import { classNames } from '../lib/class-names.ts';
import { FileButton } from './FileButton.tsx';
import styles from './FileDrop.module.css';
import { UploadIcon } from './icons.tsx';
import { useFileDrop } from './useFileDrop.ts';

interface FileDropProps {
  readonly title: string;
  readonly label: string;
  readonly children: ReactNode;
  /** File types that the browser's dialog offers; all types by default. */
  readonly accept?: string;
  /** Whether several files may be chosen at once. */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Receives files from a button, or from a drop anywhere on the screen. */
export function FileDrop(props: FileDropProps) {
  const { title, label, children, accept, multiple, onFiles } = props;
  const isOver = useFileDrop(onFiles);
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
      <FileButton variant="primary" wide {...{ accept, multiple, onFiles }}>
        {label}
      </FileButton>
    </div>
  );
}
