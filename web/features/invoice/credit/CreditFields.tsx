import { useFieldArray, useWatch } from 'react-hook-form';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatCounted } from '../../../../domain/invoice/unit-names.ts';
import { ControlledNumber, ControlledSelect, useWiring } from '../../../forms/GuardedForm.tsx';
import { fieldProps } from '../../../forms/Form.tsx';
import { showKroner } from '../../../lib/number-text.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { ChoiceField } from '../../../ui/ChoiceField.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import {
  leftOf,
  limitOf,
  netLeftOf,
  netOfQuantity,
  quantityLeftOf,
  type CreditableLine,
  type CreditDraft,
  type CreditForm,
  type CreditWay,
  type treatmentsLeft,
} from './credit-form.ts';
import styles from './CreditDialog.module.css';

type ReductionVat = ReturnType<typeof treatmentsLeft>;

/** A row for a price reduction, with the first of its treatments of VAT. */
export function newReduction([first]: ReductionVat): CreditDraft['reductions'][number] {
  return { description: 'Prisavslag', netAmount: null, vatTreatment: first?.value ?? 'STANDARD' };
}

interface CreditFieldsProps {
  readonly form: CreditForm;
  readonly invoice: Invoice;
  /** The VAT that a price reduction may have. */
  readonly vat: ReductionVat;
  /** Hides the warnings: what is left may be read again before the request ends. */
  readonly isSending: boolean;
}

/** Asks how much of the invoice is credited, and why. */
export function CreditFields({ form, invoice, vat, isSending }: CreditFieldsProps) {
  const way = useWatch({ control: form.control, name: 'way' });
  const isPart = (invoice.creditedAmount ?? 0) > 0;
  const ways: { value: CreditWay; label: string; hint?: string }[] = [
    {
      value: 'ALL',
      label: isPart ? 'Resten' : 'Hele fakturaen',
      hint: showKroner(leftOf(invoice)),
    },
    { value: 'LINES', label: 'Noen av linjene', hint: 'Et antall eller et beløp av hver' },
    ...(vat.length > 0
      ? [
          {
            value: 'REDUCTIONS' as const,
            label: 'Prisavslag',
            hint: 'Et beløp som kunden slipper å betale',
          },
        ]
      : []),
  ];
  return (
    <div className="stack">
      <ChoiceField
        label="Hva vil du kreditere?"
        choices={ways}
        value={way}
        onChange={(chosen) => {
          form.clearErrors();
          form.setValue('way', chosen);
        }}
      />
      {way === 'LINES' ? (
        <ol className="divided" aria-label="Linjene på fakturaen">
          {invoice.lines.map((line, place) => (
            <li key={line.id} aria-label={`Linje ${place + 1}`}>
              <p className="strong">{line.description}</p>
              <p className="note numeric">{remainderOf(line)}</p>
              {netLeftOf(line) === 0 ? null : <LineFields {...{ form, line, place, isSending }} />}
            </li>
          ))}
        </ol>
      ) : null}
      {way === 'REDUCTIONS' ? <CreditReductions form={form} vat={vat} /> : null}
      <TextArea
        rows={2}
        label="Årsak"
        hint="Står på kreditnotaen."
        {...fieldProps(form, 'reason')}
      />
    </div>
  );
}

/** The quantity and price of a line and, once a part of it is credited, the rest. */
function remainderOf(line: CreditableLine): string {
  const { invoicedQuantity, unit, netUnitAmount, netAmount } = line;
  const quantityLeft = quantityLeftOf(line);
  const invoiced = `${formatCounted(invoicedQuantity, unit)} à ${showKroner(netUnitAmount)}`;
  const net = `${showKroner(netLeftOf(line))} uten mva.`;
  if (netLeftOf(line) === 0) return netAmount === 0 ? invoiced : `${invoiced}. Alt er kreditert.`;
  if (netLeftOf(line) === netAmount) return `${invoiced}, ${net}`;
  // Less is left than the quantity: an amount was credited.
  const isLess = netOfQuantity(line, quantityLeft) !== netLeftOf(line);
  return isLess
    ? `${invoiced}. ${net} er igjen`
    : `${invoiced}. ${formatCounted(quantityLeft, unit)} er igjen, ${net}`;
}

interface LineFieldsProps extends Pick<CreditFieldsProps, 'form' | 'isSending'> {
  readonly line: CreditableLine;
  readonly place: number;
}

/** A quantity or an amount: typing one empties the other. */
function LineFields({ form: { control }, line, place, isSending }: LineFieldsProps) {
  const quantity = useWiring({ control, name: `lines.${place}.quantity` });
  const amount = useWiring({ control, name: `lines.${place}.netAmount` });
  const choice = { quantity: quantity.value, netAmount: amount.value };
  const limits = isSending ? undefined : limitOf(line, choice);
  // A fault that was found by sending says the same.
  const isOver = {
    quantity: quantity.error ? undefined : limits?.quantity,
    netAmount: amount.error ? undefined : limits?.netAmount,
  };
  const net = choice.quantity ? netOfQuantity(line, choice.quantity) : null;
  return (
    <div className={`grid gap-4 ${styles.fields} ${styles.either}`}>
      <NumberField
        {...quantity}
        label="Antall"
        // A line without a unit counts pieces.
        decimals={line.unit === undefined ? 0 : 3}
        min={0}
        onChange={(typed) => {
          quantity.onChange(typed);
          if (typed !== null) amount.onChange(null);
        }}
        {...(isOver.quantity
          ? { hint: isOver.quantity, hintTone: 'warning' }
          : { hint: net === null ? undefined : `${showKroner(net)} uten mva.` })}
      />
      <NumberField
        {...amount}
        label="eller beløp uten mva."
        decimals={2}
        min={0}
        onChange={(typed) => {
          amount.onChange(typed);
          if (typed !== null) quantity.onChange(null);
        }}
        hint={isOver.netAmount}
        hintTone="warning"
      />
    </div>
  );
}

function CreditReductions({ form, vat }: Pick<CreditFieldsProps, 'form' | 'vat'>) {
  const { control } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'reductions' });
  return (
    <div className="stack gap-4">
      <ol className="stack gap-4">
        {fields.map(({ id }, place) => (
          <li key={id} className="stack gap-3" aria-label={`Prisavslag ${place + 1}`}>
            <div className={styles.reduction}>
              <TextField
                label="Tekst"
                required
                {...fieldProps(form, `reductions.${place}.description`)}
              />
              {fields.length > 1 ? (
                <IconButton
                  label={`Fjern prisavslag ${place + 1}`}
                  icon={<TrashIcon />}
                  onClick={() => remove(place)}
                />
              ) : null}
            </div>
            <div className={`grid gap-4 ${styles.fields}`}>
              <ControlledNumber
                control={control}
                name={`reductions.${place}.netAmount`}
                label="Beløp uten mva."
                required
                decimals={2}
                min={0}
              />
              {vat.length > 1 ? (
                <ControlledSelect
                  control={control}
                  name={`reductions.${place}.vatTreatment`}
                  label="Mva."
                  required
                  options={vat.map(({ value, label }) => [value, label])}
                />
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {/* With one treatment of VAT one row says all. */}
      {vat.length > 1 ? (
        <Button variant="quiet" icon={<PlusIcon />} onClick={() => append(newReduction(vat))}>
          Legg til prisavslag
        </Button>
      ) : null}
    </div>
  );
}
