import type { Selection } from './useSelection.ts';

/** The checkbox for all rows. Apart from the table, because the bar of actions is loaded without it. */
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
