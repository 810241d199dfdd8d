import type { ReactNode } from 'react';

import { Button } from './Button.tsx';
import styles from './Pager.module.css';

/** Thousands at once would make every key press slow. */
const PAGE_SIZE = 50;

interface PagesProps<T> {
  readonly items: readonly T[];
  /** From 1. The last page is shown for one beyond it. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Shows the items of one page. */
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** Fifty items at a time of a long list that has been fetched whole. */
export function Pages<T>({ items, page: asked, onPage, children }: PagesProps<T>) {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = Math.min(asked, pages);
  return (
    <>
      {children(items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE))}
      <Pager page={page} pages={pages} onPage={onPage} />
    </>
  );
}

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** Of what, where a screen has several. */
  readonly label?: string;
}

/** The way from page to page, where there is more than one. */
export function Pager({ page, pages, onPage, label = 'Sider' }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={label}>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        Forrige
      </Button>
      <span className={styles.place} aria-live="polite">
        Side {page} av {pages}
      </span>
      <Button disabled={page === pages} onClick={() => onPage(page + 1)}>
        Neste
      </Button>
    </nav>
  );
}
