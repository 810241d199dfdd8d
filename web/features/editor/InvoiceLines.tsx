import {
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import {
  type Control,
  type FieldErrors,
  useFieldArray,
  useFormContext,
  useFormState,
  useWatch,
} from 'react-hook-form';

import { todayInOslo } from '../../../domain/date.ts';
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
  type DraftLine,
  type FormWithLines,
  type InvoiceDraft,
  type LineFormState,
  type LinePath,
} from './draft-values.ts';
import { isDate } from './due-date.ts';
import styles from './LineFields.module.css';
import { LineRow, type LineSetting } from './LineRow.tsx';
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
  const { control } = useFormContext<FormWithLines>();
  const { errors } = useFormState({ control, name });
  const units = useFeature('units');
  const { fields, append, remove, move } = useFieldArray({
    control,
    name,
    // Renames the key, since the default `id` would replace the ids of a template's lines, which the server needs.
    keyName: 'key',
  });
  const [isWithVat, setWithVat] = usePricesWithVat();
  const setting = useLineSetting(locked, isWithVat, vat.isRegistered);
  const list = useRef<HTMLOListElement>(null);
  const order = useOrder(list, move);
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
      {/* The key handler is for the fields inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol ref={list} className="stack gap-3" onKeyDown={(event) => goOn(event, list.current, add)}>
        {fields.map(({ key }, index) => (
          <LineItem
            key={key}
            setting={setting}
            path={`${name}.${index}`}
            index={index}
            isLast={index === fields.length - 1}
            isMovable={isMovable}
            // A copy: React Hook Form changes its own in place.
            errors={errors[name]?.[index] && { ...errors[name][index] }}
            onStep={order.step}
            onRemove={remove}
          />
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

interface LineItemProps {
  readonly setting: LineSetting;
  readonly path: LinePath;
  readonly index: number;
  readonly isLast: boolean;
  readonly isMovable: boolean;
  readonly errors: FieldErrors<DraftLine> | undefined;
  readonly onStep: (from: number, by: 1 | -1) => void;
  readonly onRemove: (index: number) => void;
}

/** A line with its buttons. Not drawn again when another line is added or changed. */
const LineItem = memo(function LineItem(props: LineItemProps) {
  const { setting, path, index, isLast, isMovable, errors, onStep, onRemove } = props;
  return (
    <li className={styles.line} aria-label={`Linje ${index + 1}`}>
      <LineRow setting={setting} path={path} errors={errors} />
      {isMovable ? <LineMoves index={index} isLast={isLast} onStep={onStep} /> : null}
      <IconButton
        label={`Fjern linje ${index + 1}`}
        icon={<TrashIcon />}
        className={styles.remove}
        disabled={setting.locked || (index === 0 && isLast)}
        onClick={() => onRemove(index)}
      />
    </li>
  );
});

function useLineSetting(locked: boolean, isWithVat: boolean, isRegistered: boolean): LineSetting {
  const form = useLineForm();
  const dated = form.control as unknown as DatedControl;
  const [delivered, issued, deliveryCountry] = useWatch({
    control: dated,
    name: ['deliveryDate', 'issueDate', 'deliveryCountry'],
  });
  // A form without a day has the rates of today.
  const ratesOn = [delivered, issued].find((day) => day && isDate(day)) ?? todayInOslo();
  return useMemo(
    () => ({ form, locked, isWithVat, isRegistered, ratesOn, deliveryCountry }),
    [form, locked, isWithVat, isRegistered, ratesOn, deliveryCountry],
  );
}

/** The fields of an invoice's form that decide about VAT. Other forms with lines have none of them. */
type DatedControl = Control<
  Partial<Pick<InvoiceDraft, 'issueDate' | 'deliveryDate' | 'deliveryCountry'>>
>;

function useLineForm(): LineFormState {
  const { control, setValue, register, clearErrors } = useFormContext<FormWithLines>();
  const { isSubmitted } = useFormState({ control });
  return useMemo(
    () => ({
      control,
      setValue,
      register,
      clearErrors,
      change: (name, value) =>
        setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted }),
    }),
    [control, setValue, register, clearErrors, isSubmitted],
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
  readonly isLast: boolean;
  readonly onStep: (from: number, by: 1 | -1) => void;
}

function LineMoves({ index, isLast, onStep }: LineMovesProps) {
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
        disabled={isLast}
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
function useOrder(list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void) {
  const [said, setSaid] = useState('');
  const step = useCallback(
    (from: number, by: 1 | -1) => {
      const to = from + by;
      const lines = list.current?.children;
      flushSync(() => {
        move(from, to);
        setSaid(`Linje ${from + 1} er nå linje ${to + 1} av ${lines?.length}.`);
      });
      // The focus follows the line; at the end of the list, to the button of the other direction.
      const button = (direction: number) =>
        lines?.[to]?.querySelector<HTMLButtonElement>(
          `[data-move="${direction}"]:not([aria-disabled])`,
        );
      (button(by) ?? button(-by))?.focus();
    },
    [list, move],
  );
  return { said, step };
}
