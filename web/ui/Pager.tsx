import { useState, type ReactNode } from 'react';

import { Button } from './Button.tsx';

/** Rendering thousands of rows would make every key press slow. */
export const PAGE_SIZE = 50;

interface PagesProps<T> {
  readonly items: readonly T[];
  /** The length of a list of which `items` is one page. */
  readonly total?: number | undefined;
  readonly size?: number | undefined;
  /** Page number from 1, where something else sets it too. A number that is too high shows the last page. */
  readonly page?: number;
  readonly onPage?: (page: number) => void;
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** Pages of fifty items unless `size` says otherwise: of a list that has been fetched completely, or of one that is fetched by pages. */
export function Pages<T>(props: PagesProps<T>) {
  const [own, setOwn] = useState(1);
  const { items, total, size = PAGE_SIZE, page: asked = own, onPage = setOwn, children } = props;
  const pages = Math.max(1, Math.ceil((total ?? items.length) / size));
  const page = Math.min(asked, pages);
  return (
    <>
      {children(total === undefined ? items.slice((page - 1) * size, page * size) : items)}
      <Pager page={page} pages={pages} onPage={onPage} />
    </>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** The accessible name, which must be unique on a screen with several pagers. */
  readonly label?: string;
}

export function Pager({ page, pages, onPage, label = 'Sider' }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className="row gap-4 centred" aria-label={label}>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        Forrige
      </Button>
      <span className="soft numeric" aria-live="polite">
        Side {page} av {pages}
      </span>
      <Button disabled={page === pages} onClick={() => onPage(page + 1)}>
        Neste
      </Button>
    </nav>
  );
}
