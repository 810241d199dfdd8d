import type { UseQueryResult } from '@tanstack/react-query';
import { type Key, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';

import { pageIn, useAddress } from '../lib/useAddress.ts';
import { Badge } from './Badge.tsx';
import { ButtonLink } from './Button.tsx';
import { Card, EmptyState, Fetched } from './Surface.tsx';
import { PlusIcon, SearchIcon } from './icons.tsx';
import { ListTable, type ListColumn } from './ListTable.tsx';
import { Page } from './Page.tsx';
import { Pages } from './Pager.tsx';
import { SearchField, useDebounced } from './SearchField.tsx';

interface ListPageProps<T> {
  readonly heading: string;
  /** For example '12 kunder'; undefined until it is known. */
  readonly count?: string | undefined;
  readonly actions?: ReactNode;
  readonly create: {
    /** Undefined for a caller who may not create any, and gets no column with links to forms. */
    readonly to: string | undefined;
    readonly label: string;
    /** The label in an empty list. */
    readonly firstLabel: string;
    /** Whether the profile must be completed first, as the notice says then. */
    readonly incomplete?: boolean;
  };
  readonly notice?: ReactNode;
  readonly query: Pick<UseQueryResult<readonly T[]>, 'data' | 'isError' | 'isPlaceholderData'> & {
    readonly refetch: () => unknown;
  };
  /** For a list that can be searched, and then has pages. */
  readonly search?: ListSearch & {
    readonly label: string;
    readonly placeholder: string;
    /** The records in the plural, such as 'kunder'. */
    readonly what: string;
    readonly isShown: boolean;
    /** A remark on what was found. */
    readonly note?: ReactNode;
    /** The number of matches when the query has only one page of them. */
    readonly total?: number | undefined;
    /** The records of such a page. */
    readonly size?: number;
    /** Beside the search. */
    readonly filter?: ReactNode;
  };
  /** Shown when nothing is found, while a filter has only some of the records. */
  readonly none?: ReactNode;
  readonly columns: readonly ListColumn<T>[];
  readonly keyOf: (item: T) => Key;
  /** Two lines a row on a phone, instead of a line for each cell. */
  readonly short?: boolean;
  /** Shown while there is nothing in the list; the text to those who may create. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: ReactNode };
}

/** A screen with all records of a kind: search, table, pages, and the button that creates one. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { heading, count, actions, create, notice, query, search, columns, keyOf, short, empty } =
    props;
  const table = (items?: readonly T[]) => (
    <Card flush>
      <ListTable
        label={heading}
        columns={columns.filter(({ edits }) => !edits || create.to !== undefined)}
        {...{ keyOf, short, items }}
      />
    </Card>
  );
  const isSearched = search !== undefined && search.query !== '';
  return (
    <Page
      heading={heading}
      aside={count === undefined ? null : <Badge tone="gray">{count}</Badge>}
      actions={
        <>
          {actions}
          {create.to === undefined ? null : (
            <ButtonLink
              to={create.to}
              variant="primary"
              icon={<PlusIcon />}
              disabled={create.incomplete}
            >
              {create.label}
            </ButtonLink>
          )}
        </>
      }
    >
      {notice}
      {search?.isShown ? (
        <SearchRow search={search} found={isSearched ? foundOf(props) : undefined} />
      ) : null}
      {search?.note}
      <Fetched query={query} pending={table()}>
        {(items) => {
          if (items.length > 0 && search) {
            return (
              <Pages
                items={items}
                total={search.total}
                size={search.size}
                page={search.page}
                onPage={search.setPage}
              >
                {table}
              </Pages>
            );
          }
          // An empty result of the previous search says nothing about this one.
          if (items.length > 0 || query.isPlaceholderData)
            return table(items.length ? items : undefined);
          return (
            <Card>
              {props.none ??
                (isSearched ? (
                  <EmptyState icon={<SearchIcon />} title="Ingen treff">
                    Ingen {search.what} passer til «{search.query}».
                  </EmptyState>
                ) : (
                  <Nothing create={create} empty={empty} />
                ))}
            </Card>
          );
        }}
      </Fetched>
    </Page>
  );
}

/** The number of matches; undefined while those of the previous search are shown. */
function foundOf<T>({ query, search }: ListPageProps<T>): number | undefined {
  return query.isPlaceholderData ? undefined : (search?.total ?? query.data?.length);
}

interface SearchRowProps {
  readonly search: NonNullable<ListPageProps<never>['search']>;
  readonly found: number | undefined;
}

function SearchRow({ search, found }: SearchRowProps) {
  return (
    <div className="row gap-2">
      <SearchField
        label={search.label}
        placeholder={search.placeholder}
        value={search.text}
        onChange={search.setText}
        found={found}
      />
      {search.filter}
    </div>
  );
}

type ListSearch = ReturnType<typeof useListSearch>;

/** The search text and the page of a list, which its address keeps. @param more of its filter, kept there too */
export function useListSearch(more: Parameters<typeof useAddress>[0] = {}) {
  const [address] = useSearchParams();
  const [text, setText] = useState(address.get('query') ?? '');
  const [page, setPage] = useState(pageIn(address));
  const query = useDebounced(text.trim());
  useAddress({ query, page, ...more });
  return {
    text,
    setText: (next: string) => {
      setText(next);
      setPage(1);
    },
    /** The text, once it is no longer being typed. */
    query,
    page,
    setPage,
  };
}

/** An empty list, with the link that creates the first record. */
function Nothing({ create, empty }: Pick<ListPageProps<never>, 'create' | 'empty'>) {
  const { to, incomplete = false, firstLabel } = create;
  return (
    <EmptyState
      icon={empty.icon}
      title={empty.title}
      action={
        to === undefined || incomplete ? null : (
          <ButtonLink to={to} variant="primary" icon={<PlusIcon />}>
            {firstLabel}
          </ButtonLink>
        )
      }
    >
      {to === undefined ? null : empty.text}
    </EmptyState>
  );
}
