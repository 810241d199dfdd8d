import { useState } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { canChange } from '../../../../domain/invoice/invoice.status.ts';

/** Which of the invoices of a list are chosen. */
export interface Selection {
  /** In the order of the list. */
  readonly chosen: readonly Invoice[];
  /** How many can be. */
  readonly possible: number;
  readonly isChosen: (invoice: Invoice) => boolean;
  /** @param isRange whether all between this one and the one before it become as this one does */
  readonly toggle: (invoice: Invoice, isRange: boolean) => void;
  /** All of them, or none when all are. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

interface State {
  readonly list: string;
  readonly uuids: ReadonlySet<string>;
  /** That which was clicked last. */
  readonly last: string | undefined;
}

/**
 * @param list what the list is of: in another one nothing is chosen
 */
export function useSelection(invoices: readonly Invoice[], list: string): Selection {
  const nothing: State = { list, uuids: new Set(), last: undefined };
  const [stored, setState] = useState(nothing);
  const { uuids, last } = stored.list === list ? stored : nothing;
  const selectable = invoices.filter(canChange);
  // What is no longer in the list, or can no longer be changed, is not chosen any more.
  const chosen = selectable.filter(({ uuid }) => uuids.has(uuid));
  const set = (next: ReadonlySet<string>, clicked?: string) =>
    setState({ list, uuids: next, last: clicked });
  return {
    chosen,
    possible: selectable.length,
    isChosen: ({ uuid }) => uuids.has(uuid),
    toggle: ({ uuid }, isRange) => {
      const order = selectable.map((one) => one.uuid);
      set(toggled(uuids, isRange ? between(order, last, uuid) : [uuid], !uuids.has(uuid)), uuid);
    },
    toggleAll: () =>
      set(chosen.length === selectable.length ? new Set() : new Set(selectable.map((i) => i.uuid))),
    clear: () => set(new Set()),
  };
}

/** With some of them, or without. */
export function toggled(
  uuids: ReadonlySet<string>,
  some: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const others = [...uuids].filter((uuid) => !some.includes(uuid));
  return new Set(isChosen ? [...others, ...some] : others);
}

/** Both and all between them, or the second alone when the first is not there. */
export function between(
  order: readonly string[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const ends = [order.indexOf(from ?? to), order.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return order.slice(Math.min(...ends), Math.max(...ends) + 1);
}
