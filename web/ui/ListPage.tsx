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
  };
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
        <SearchField
          label={search.label}
          placeholder={search.placeholder}
          value={search.text}
          onChange={search.setText}
          found={
            isSearched && !query.isPlaceholderData
              ? (search.total ?? query.data?.length)
              : undefined
          }
        />
      ) : null}
      {search?.note}
      <Fetched query={query} pending={table()}>
        {(items) => {
          if (items.length > 0 && search) {
            return (
              <Pages items={items} total={search.total} page={search.page} onPage={search.setPage}>
                {table}
              </Pages>
            );
          }
          // An empty result of the previous search says nothing about this one.
          if (items.length > 0 || query.isPlaceholderData)
            return table(items.length ? items : undefined);
          return (
            <Card>
              {isSearched ? (
                <EmptyState icon={<SearchIcon />} title="Ingen treff">
                  Ingen {search.what} passer til «{search.query}».
                </EmptyState>
              ) : (
                <Nothing create={create} empty={empty} />
              )}
            </Card>
          );
        }}
      </Fetched>
    </Page>
  );
}

type ListSearch = ReturnType<typeof useListSearch>;

/** The search text and the page of a list, which its address keeps. */
export function useListSearch() {
  const [address] = useSearchParams();
  const [text, setText] = useState(address.get('query') ?? '');
  const [page, setPage] = useState(pageIn(address));
  const query = useDebounced(text.trim());
  useAddress({ query, page });
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
