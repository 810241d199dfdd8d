import { CloseIcon } from './icons.tsx';
import styles from './Tag.module.css';
import { useKeepFocus } from './useKeepFocus.ts';

export function Tag({ label, onRemove }: { label: string; onRemove: () => void }) {
  const keepFocus = useKeepFocus();
  return (
    <span className={`strong ${styles.tag}`}>
      <span className="cut">{label}</span>
      <button
        type="button"
        className={`round ${styles.remove}`}
        aria-label={`Fjern ${label}`}
        {...keepFocus}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
    </span>
  );
}
