import { Button } from './Button.tsx';
import styles from './Pager.module.css';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Steps through a long list that is here already. Nothing is shown for a single page. */
export function Pager({ page, pages, onPage }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label="Sider">
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Forrige
      </Button>
      <span className={styles.place} aria-live="polite">
        Side {page} av {pages}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Neste
      </Button>
    </nav>
  );
}
