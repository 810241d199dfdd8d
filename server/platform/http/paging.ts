import { toSnakeKey } from '../../../domain/api/case.ts';

/** The query of a list with pages, as it was parsed. */
interface Asked {
  readonly page: number;
  readonly [filter: string]: string | number | boolean | undefined;
}

/** The paths of the pages before and after the one that was asked for (WIRE-10). */
export function pagesBeside(
  path: string,
  { page, ...filter }: Asked,
  { count, size }: { readonly count: number; readonly size: number },
): { readonly next: string | null; readonly previous: string | null } {
  const pathOf = (number: number) => {
    const parameters = new URLSearchParams({ page: String(number) });
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined && value !== '') parameters.set(toSnakeKey(name), String(value));
    }
    return `${path}?${parameters}`;
  };
  return {
    next: page * size < count ? pathOf(page + 1) : null,
    previous: page > 1 ? pathOf(page - 1) : null,
  };
}
