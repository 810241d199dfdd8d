import { CheckIcon } from './icons.tsx';
import styles from './Steps.module.css';

interface StepsProps {
  readonly labels: readonly string[];
  /** The number of finished steps; the next step is in progress. */
  readonly done: number;
  readonly label: string;
}

/** The progress of a task on the server. Shown on one line when all steps are finished. */
export function Steps({ labels, done, label }: StepsProps) {
  return (
    <ol
      className={styles.steps}
      aria-label={label}
      data-finished={done === labels.length || undefined}
    >
      {labels.map((text, index) => (
        <li
          key={text}
          className={styles.step}
          data-state={index < done ? 'done' : index === done ? 'current' : undefined}
          aria-current={index === Math.min(done, labels.length - 1) ? 'step' : undefined}
        >
          <span className={`round dot ${styles.dot}`}>{index < done ? <CheckIcon /> : null}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
