import { useState } from 'react';

import { useCan } from '../../session/session.api.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { canChange } from '../../../../domain/invoice/invoice.status.ts';

export interface Selection {
  /** In the order of the list. */
  readonly chosen: readonly Invoice[];
  readonly possible: number;
  readonly isChosen: (invoice: Invoice) => boolean;
  /** @param isRange whether to include all rows between the last clicked one and this one */
  readonly toggle: (invoice: Invoice, isRange: boolean) => void;
  /** Selects all, or none when all are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

interface State {
  readonly list: string;
  readonly uuids: ReadonlySet<string>;
  /** The uuid that was clicked last. */
  readonly last: string | undefined;
}

/**
 * @param list identifies the list; the selection is empty again when it changes
 */
export function useSelection(invoices: readonly Invoice[], list: string): Selection {
  const nothing: State = { list, uuids: new Set(), last: undefined };
  const [stored, setState] = useState(nothing);
  const { uuids, last } = stored.list === list ? stored : nothing;
  const canChoose = useCanChoose();
  const selectable = canChoose ? invoices.filter(canChange) : [];
  // Leaves out invoices that have left the list or can no longer be changed.
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

/** Adds `some` to `uuids`, or removes them. */
export function toggled(
  uuids: ReadonlySet<string>,
  some: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const others = [...uuids].filter((uuid) => !some.includes(uuid));
  return new Set(isChosen ? [...others, ...some] : others);
}

/** Both ends and everything between them, in list order; only `to` when `from` is not in the list. */
export function between(
  order: readonly string[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const ends = [order.indexOf(from ?? to), order.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return order.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/** Whether the caller may do something with chosen invoices. */
export function useCanChoose(): boolean {
  const canIssue = useCan('issue');
  return useCan('payments') || canIssue;
}

/** The checkbox for all rows. */
export function SelectAll({ selection, label }: { selection: Selection; label?: string }) {
  const { chosen, possible, toggleAll } = selection;
  const isAll = chosen.length === possible && possible > 0;
  return (
    <label className="check centred">
      <input
        type="checkbox"
        aria-label="Velg alle på siden"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = chosen.length > 0 && !isAll;
        }}
        onChange={toggleAll}
      />
      {label ? <span aria-hidden="true">{label}</span> : null}
    </label>
  );
}
