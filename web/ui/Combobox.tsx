// By name: the namespace `Listbox` would bring all parts.
import {
  createListCollection,
  ListboxContent,
  ListboxInput,
  ListboxItem,
  ListboxRoot,
} from '@ark-ui/react/listbox';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';

import { classNames } from '../lib/class-names.ts';
import styles from './Combobox.module.css';

interface ComboboxProps<T> {
  readonly options: readonly T[];
  /** A unique key without spaces: it becomes a part of an id. */
  readonly keyOf: (option: T) => string;
  readonly isChosen?: (option: T) => boolean;
  /** Whether a chosen option can be chosen again, to remove it. */
  readonly canRemove?: boolean;
  /**
   * Whether the options are the answer to the typed text. Enter then chooses the only one; pressed before the answer,
   * it chooses it when the answer comes.
   */
  readonly entersOnly?: boolean;
  readonly onChoose: (option: T) => void;
  /** Contains a `ComboboxInput` and a `ComboboxList`. */
  readonly children: ReactNode;
}

const nothing = () => false;

/**
 * A field with a list of options below. The arrow keys highlight an option and Enter chooses it, while the focus
 * stays in the field.
 */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { options, keyOf, isChosen = nothing, canRemove = false, entersOnly, onChoose } = props;
  const [reached, setReached] = useState<string | null>(null);
  const collection = createListCollection({
    items: options,
    itemToValue: keyOf,
    itemToString: keyOf,
    isItemDisabled: (option) => !canRemove && isChosen(option),
  });
  const chosen = options.filter(isChosen).map(keyOf);
  const only = entersOnly && collection.size === 1 ? collection.firstValue : null;
  const isEntered = useRef(false);
  const enter = useEffectEvent(() => {
    const [option] = options;
    // After the effect, since `onChoose` may call flushSync.
    if (isEntered.current && only !== null && option !== undefined)
      queueMicrotask(() => onChoose(option));
    isEntered.current = false;
  });
  useEffect(() => {
    if (entersOnly) enter();
  }, [entersOnly]);
  return (
    <ListboxRoot
      collection={collection}
      onKeyDown={({ key }) => {
        if (key === 'Enter' && entersOnly === false && reached === null) isEntered.current = true;
      }}
      onInput={() => {
        isEntered.current = false;
      }}
      onBlur={() => {
        isEntered.current = false;
      }}
      selectionMode={props.isChosen ? 'multiple' : 'single'}
      value={chosen}
      onValueChange={({ value }) => {
        const changed = options.find((option) => {
          const key = keyOf(option);
          return value.includes(key) !== chosen.includes(key);
        });
        setReached(null);
        if (changed !== undefined) onChoose(changed);
      }}
      highlightedValue={reached ?? only}
      onHighlightChange={({ highlightedValue }) => setReached(highlightedValue)}
      loopFocus
    >
      {props.children}
    </ListboxRoot>
  );
}

/** Makes an input, or a component that passes its props on to one, the field of a combobox. */
export function ComboboxInput(props: { isOpen: boolean; children: ReactElement }) {
  return (
    // The child is the input, and Ark adds aria-controls.
    // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props, jsx-a11y/prefer-tag-over-role
    <ListboxInput asChild role="combobox" aria-expanded={props.isOpen}>
      {props.children}
    </ListboxInput>
  );
}

interface ComboboxListProps {
  readonly label: string;
  /** Whether the list lies over the content below the field. */
  readonly isPopup?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function ComboboxList({ label, isPopup, className, children }: ComboboxListProps) {
  return (
    <ListboxContent
      aria-label={label}
      // Ark's own label is not rendered.
      aria-labelledby={undefined}
      className={classNames(isPopup && `floating ${styles.popup}`, className)}
      tabIndex={-1}
      // Keeps the focus in the field, so that a phone's keyboard stays open.
      onMouseDownCapture={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
    </ListboxContent>
  );
}

interface ComboboxGroupProps {
  /** Shown above the options; absent when the list has only one group. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

export function ComboboxGroup({ label, children }: ComboboxGroupProps) {
  if (label === undefined) return children;
  return (
    // A list box may not have a fieldset in it.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label={label}>
      <p className={`aside ${styles.group}`} aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}

interface ComboboxOptionProps<T> {
  readonly option: T;
  readonly icon?: ReactNode;
  readonly name: ReactNode;
  readonly amount?: string;
  readonly note?: string;
}

export function ComboboxOption<T>({ option, icon, name, amount, note }: ComboboxOptionProps<T>) {
  return (
    <ListboxItem item={option} className={styles.option}>
      {icon ? <span className={styles.icon}>{icon}</span> : null}
      <span className={`row between ${styles.text}`}>
        <span className="strong">{name}</span>
        {amount === undefined ? null : <span className="strong numeric">{amount}</span>}
        {note === undefined ? null : <span className={`aside numeric ${styles.note}`}>{note}</span>}
      </span>
    </ListboxItem>
  );
}
