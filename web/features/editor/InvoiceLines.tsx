import { useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';

import { errorAt } from '../../forms/Form.tsx';
import { Alert } from '../../ui/Surface.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Checkbox, FieldError } from '../../ui/Field.tsx';
import { ChevronDownIcon, ChevronUpIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { draftTotals } from '../invoice/line-sums.ts';
import { useFeature } from '../session/session.api.ts';
import {
  emptyLine,
  type CompanyVat,
  type FormWithLines,
  type LineFormState,
} from './draft-values.ts';
import styles from './LineFields.module.css';
import { LineRow } from './LineRow.tsx';
import { priceLabel, usePricesWithVat } from './useTypedPrice.ts';

interface InvoiceLinesProps {
  readonly name: keyof FormWithLines;
  readonly locked?: boolean;
  readonly vat: CompanyVat;
  /** The name of the sum of all; that of an invoice by default. */
  readonly totalLabel?: string;
}

/** The lines of a form, which can be added, moved and removed, with their sums. */
export function InvoiceLines({ name, locked, vat, totalLabel }: InvoiceLinesProps) {
  return (
    <div className="stack gap-6">
      <LineFields name={name} locked={locked} vat={vat} />
      <LineSums name={name} vat={vat} totalLabel={totalLabel} />
    </div>
  );
}

/** The sums, updated as the user types. Apart from the fields, which typing need not draw again. */
function LineSums({ name, vat, totalLabel }: InvoiceLinesProps) {
  const { control } = useFormContext<FormWithLines>();
  const lines = useWatch({ control, name }) ?? [];
  const hasVat = lines.some((line) => (line.vatRatePercentage ?? 0) > 0);
  return (
    <>
      {hasVat && !vat.isRegistered ? (
        <Alert tone="warning" live>
          Bedriften er ikke registrert i Merverdiavgiftsregisteret, men en linje har mva.
        </Alert>
      ) : null}
      <InvoiceSums totals={draftTotals(lines)} totalLabel={totalLabel} />
    </>
  );
}

function LineFields({ name, locked = false, vat }: InvoiceLinesProps) {
  const form = useLineForm();
  const { control } = form;
  const { errors } = useFormState({ control, name });
  const units = useFeature('units');
  const { fields, append, remove, move } = useFieldArray({
    control,
    name,
    // Renames the key, since the default `id` would replace the ids of a template's lines, which the server needs.
    keyName: 'key',
  });
  const [isWithVat, setWithVat] = usePricesWithVat();
  const list = useRef<HTMLOListElement>(null);
  const order = useOrder(list, fields.length, move);
  const isMovable = !locked && fields.length > 1;
  const add = () => append(emptyLine(vat), { focusName: `${name}.${fields.length}.description` });
  return (
    <div
      className="stack gap-3"
      data-movable={isMovable || undefined}
      data-units={units || undefined}
      data-vat={vat.treatment !== null || undefined}
    >
      <div className={`note strong ${styles.headings}`} aria-hidden="true">
        <span>Antall</span>
        {units ? <span>Enhet</span> : null}
        <span>Beskrivelse</span>
        <span>{priceLabel(isWithVat, vat.isRegistered)}</span>
        <span>Mva.</span>
        <span className={styles.sumHeading}>Sum</span>
      </div>
      <ol ref={list} className="stack gap-3">
        {fields.map((field, index) => (
          // The key handler is for the fields inside the item.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={field.key}
            className={styles.line}
            aria-label={`Linje ${index + 1}`}
            onKeyDown={(event) => goOn(event, list.current, add)}
          >
            <LineRow
              form={form}
              path={`${name}.${index}`}
              locked={locked}
              isWithVat={isWithVat}
              isRegistered={vat.isRegistered}
            />
            {isMovable ? (
              <LineMoves index={index} count={fields.length} onStep={order.step} />
            ) : null}
            <IconButton
              label={`Fjern linje ${index + 1}`}
              icon={<TrashIcon />}
              className={styles.remove}
              disabled={locked || fields.length === 1}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <FieldError message={errorAt(errors, name) ?? errorAt(errors, `${name}.root`)} />
      <p className="visually-hidden" aria-live="polite">
        {order.said}
      </p>
      <div className="row between">
        <Button variant="quiet" icon={<PlusIcon />} disabled={locked} onClick={add}>
          Legg til linje
        </Button>
        {/* Without VAT there is only one price. */}
        {!vat.isRegistered && !isWithVat ? null : (
          <Checkbox
            label="Skriv priser inkl. mva."
            checked={isWithVat}
            onChange={(event) => setWithVat(event.target.checked)}
          />
        )}
      </div>
    </div>
  );
}

function useLineForm(): LineFormState {
  const { control, setValue, register, clearErrors, subscribe, getFieldState } =
    useFormContext<FormWithLines>();
  return useMemo(
    () => ({ control, setValue, register, clearErrors, subscribe, getFieldState }),
    [control, setValue, register, clearErrors, subscribe, getFieldState],
  );
}

/** Enter moves to the next field, and from the last one to a new line. It does not submit the form. */
function goOn(event: KeyboardEvent, list: HTMLElement | null, add: () => void): void {
  if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
  const fields = [...(list?.querySelectorAll<HTMLElement>('input, select') ?? [])];
  const index = fields.findIndex((field) => field === event.target);
  if (index === -1) return;
  event.preventDefault();
  const next = fields[index + 1];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
  if (!next) add();
}

interface LineMovesProps {
  readonly index: number;
  readonly count: number;
  readonly onStep: (from: number, by: 1 | -1) => void;
}

function LineMoves({ index, count, onStep }: LineMovesProps) {
  return (
    <div className={styles.moves}>
      <IconButton
        label={`Flytt linje ${index + 1} opp`}
        icon={<ChevronUpIcon />}
        className={styles.move}
        data-move={-1}
        disabled={index === 0}
        onClick={() => onStep(index, -1)}
      />
      <IconButton
        label={`Flytt linje ${index + 1} ned`}
        icon={<ChevronDownIcon />}
        className={styles.move}
        data-move={1}
        disabled={index === count - 1}
        onClick={() => onStep(index, 1)}
      />
    </div>
  );
}

/**
 * Moves lines up and down, and announces the new order to screen readers.
 *
 * @param move moves a line from one index to another
 */
function useOrder(
  list: RefObject<HTMLElement | null>,
  count: number,
  move: (from: number, to: number) => void,
) {
  const [said, setSaid] = useState('');
  const step = (from: number, by: 1 | -1) => {
    const to = from + by;
    flushSync(() => {
      move(from, to);
      setSaid(`Linje ${from + 1} er nå linje ${to + 1} av ${count}.`);
    });
    // The focus follows the line; at the end of the list, to the button of the other direction.
    const button = (direction: number) =>
      list.current?.children[to]?.querySelector<HTMLButtonElement>(
        `[data-move="${direction}"]:not([aria-disabled])`,
      );
    (button(by) ?? button(-by))?.focus();
  };
  return { said, step };
}
