import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray, useFormContext, useWatch, type UseFormReturn } from 'react-hook-form';

import { formatOre } from '../../../domain/money.ts';
import { useFeature } from '../session/session.api.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Checkbox, FieldError } from '../../ui/Field.tsx';
import { errorAt } from '../../forms/Form.tsx';
import { ChevronDownIcon, ChevronUpIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { useWiring } from '../../forms/Controlled.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import {
  emptyLine,
  type CompanyVat,
  type FormWithLines,
  type LinePath,
} from '../invoice/draft-lines.ts';
import { draftLineGross } from '../invoice/line-sums.ts';
import { DescriptionField } from './DescriptionField.tsx';
import styles from './LineFields.module.css';
import { QuantityFields } from './QuantityFields.tsx';
import { priceLabel, usePricesWithVat, useLinePrice, type LinePrice } from './useTypedPrice.ts';
import type { LineValues } from './useLineProposals.ts';
import { VatField } from './VatField.tsx';

interface LineFieldsProps {
  readonly name: keyof FormWithLines;
  readonly locked?: boolean;
  readonly vat: CompanyVat;
}

export function LineFields({ name, locked = false, vat }: LineFieldsProps) {
  const { control, formState } = useFormContext<FormWithLines>();
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
        <span>{priceLabel(isWithVat)}</span>
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
      <FieldError
        message={errorAt(formState.errors, name) ?? errorAt(formState.errors, `${name}.root`)}
      />
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

/** Fills in a product or an earlier invoice line, except its quantity. */
function fillIn(form: UseFormReturn<FormWithLines>, path: LinePath, values: LineValues): void {
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
  const { vatRatePercentage, vatTreatment, unit, productNumber } = values;
  form.setValue(`${path}.description`, values.description, options);
  form.setValue(`${path}.netUnitAmount`, values.netUnitAmount, options);
  if (vatRatePercentage !== undefined) {
    form.setValue(`${path}.vatRatePercentage`, vatRatePercentage, options);
  }
  if (vatTreatment !== undefined) form.setValue(`${path}.vatTreatment`, vatTreatment, options);
  if (unit !== undefined) form.setValue(`${path}.unit`, unit, options);
  if (productNumber !== undefined) form.setValue(`${path}.productNumber`, productNumber, options);
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

interface LineRowProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly isWithVat: boolean;
  readonly isRegistered: boolean;
}

function LineRow({ path, locked, isWithVat, isRegistered }: LineRowProps) {
  const form = useFormContext<FormWithLines>();
  const price = useLinePrice(path, isWithVat);
  return (
    <>
      <QuantityFields path={path} locked={locked} />
      <DescriptionField
        path={path}
        locked={locked}
        className={styles.description}
        onChosen={(values) => fillIn(form, path, values)}
      />
      <PriceField path={path} locked={locked} label={priceLabel(isWithVat)} price={price} />
      <VatField
        path={path}
        locked={locked}
        isRegistered={isRegistered}
        onChosen={price.changeRate}
      />
      <LineSum path={path} />
      <p
        className={`note toned unless-empty whole-row ${styles.difference}`}
        data-tone="amber"
        aria-live="polite"
      >
        {price.difference}
      </p>
    </>
  );
}

interface PriceFieldProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly label: string;
  readonly price: LinePrice;
}

function PriceField({ path, locked, label, price }: PriceFieldProps) {
  const { control } = useFormContext<FormWithLines>();
  const wiring = useWiring({ control, name: `${path}.netUnitAmount` });
  return (
    <NumberField
      {...wiring}
      label={label}
      required
      className={styles.price}
      decimals={2}
      value={price.shown}
      onChange={price.isWithVat ? price.change : wiring.onChange}
      disabled={locked}
    />
  );
}

function LineSum({ path }: { path: LinePath }) {
  const { control } = useFormContext<FormWithLines>();
  const line = useWatch({ control, name: path });
  const gross = line ? draftLineGross(line) : null;
  return (
    <p className={`numeric strong ${styles.sum}`}>
      <span className={`aside ${styles.sumLabel}`}>Sum med mva. </span>
      {gross === null ? '–' : formatOre(gross)}
    </p>
  );
}
