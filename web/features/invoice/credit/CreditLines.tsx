import type { Control } from 'react-hook-form';

import type { CreditBody } from '../../../../domain/invoice/credit.schema.ts';
import { formatCounted } from '../../../../domain/invoice/unit-names.ts';
import { showKroner } from '../../../lib/kroner.ts';
import { useWiring } from '../../../forms/Controlled.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import {
  limitOf,
  netLeftOf,
  netOfQuantity,
  quantityLeftOf,
  type CreditableLine,
  type CreditDraft,
} from './credit-form.ts';
import styles from './CreditDialog.module.css';

interface CreditLinesProps {
  readonly control: Control<CreditDraft, unknown, CreditBody>;
  readonly lines: readonly CreditableLine[];
  /** Hides the warnings: what is left may be read again before the request ends. */
  readonly isSending: boolean;
}

export function CreditLines({ control, lines, isSending }: CreditLinesProps) {
  return (
    <ol className="divided" aria-label="Linjene på fakturaen">
      {lines.map((line, place) => (
        <li key={line.id} aria-label={`Linje ${place + 1}`}>
          <p className="strong">{line.description}</p>
          <p className="note numeric">{remainderOf(line)}</p>
          {netLeftOf(line) !== 0 ? <LineFields {...{ control, line, place, isSending }} /> : null}
        </li>
      ))}
    </ol>
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

interface LineFieldsProps extends Pick<CreditLinesProps, 'control' | 'isSending'> {
  readonly line: CreditableLine;
  readonly place: number;
}

/** A quantity or an amount: typing one empties the other. */
function LineFields({ control, line, place, isSending }: LineFieldsProps) {
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
        label="eller beløp"
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
