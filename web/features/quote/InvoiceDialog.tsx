import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';

import { formatCounted } from '../../../domain/invoice/unit-names.ts';
import { differenceKroner } from '../../../domain/money.ts';
import type { QuoteInvoiceBody } from '../../../domain/quote/quote-invoice.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { errorAt, useSchemaForm } from '../../forms/Form.tsx';
import { DialogButton, DialogForm } from '../../forms/DialogForm.tsx';
import { ControlledNumber, useWiring } from '../../forms/GuardedForm.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox, FieldError } from '../../ui/Field.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import styles from '../invoice/credit/CreditDialog.module.css';
import {
  invoicingForm,
  isLeft,
  netOfPart,
  netOfWish,
  type InvoicingDraft,
  type InvoicingForm,
} from './quote-invoicing.ts';
import { useInvoiceQuote } from './quote.api.ts';

/** Makes the draft of an invoice of all that is left, a percent, or some of the lines (QUO-75). */
export function InvoiceButton({ quote }: { quote: Quote }) {
  const make = useInvoiceQuote(quote.uuid);
  return (
    <DialogButton
      label="Lag faktura"
      variant="primary"
      icon={<PlusIcon />}
      title={`Lag faktura av tilbud ${quote.quoteNumber}`}
      description={`Det lages et utkast til ${quote.customerName}. Ingenting sendes før du har sett over det.`}
      pending={make.isPending}
    >
      {(close) => <Wish {...{ quote, make }} onClose={close} />}
    </DialogButton>
  );
}

interface WishProps {
  readonly quote: Quote;
  readonly make: ReturnType<typeof useInvoiceQuote>;
  readonly onClose: () => void;
}

function Wish({ quote, make, onClose }: WishProps) {
  const { uuid, lines, leftNet } = quote;
  const navigate = useNavigate();
  const form: InvoicingForm = useSchemaForm<InvoicingDraft, QuoteInvoiceBody>(
    invoicingForm(lines),
    {
      way: 'ALL',
      percent: null,
      lines: lines.map(() => ({ isTaken: false, quantity: null, percent: null })),
    },
  );
  const draft = useWatch({ control: form.control }) as InvoicingDraft;
  const net = netOfWish(lines, draft);
  return (
    <DialogForm
      form={form}
      name={`invoice of ${uuid}`}
      save={make}
      submitLabel="Lag faktura"
      onClose={onClose}
      onSaved={(invoice) => void navigate(paths.invoice(invoice.uuid))}
      className="stack"
      label="Hva som faktureres"
    >
      <ChoiceField
        label="Hva vil du fakturere?"
        choices={[
          { value: 'ALL', label: 'Alt som gjenstår', hint: `${showKroner(leftNet)} uten mva.` },
          { value: 'SHARE', label: 'En andel', hint: 'Noen prosent av hele tilbudet' },
          { value: 'LINES', label: 'Noen av linjene', hint: 'Hele linjer, eller en del av dem' },
        ]}
        value={draft.way}
        onChange={(way) => {
          form.clearErrors();
          form.setValue('way', way);
        }}
      />
      {draft.way === 'SHARE' ? (
        <ControlledNumber
          control={form.control}
          name="percent"
          label="Prosent av tilbudet"
          required
          decimals={2}
          min={0}
          max={100}
        />
      ) : null}
      {draft.way === 'LINES' ? <Lines form={form} quote={quote} /> : null}
      <p aria-live="polite" className="box numeric">
        {net === null
          ? 'Summen står her når det er fylt ut hva som faktureres.'
          : `Fakturaen blir på ${showKroner(net)} uten mva. Da gjenstår ${showKroner(differenceKroner(leftNet, net))}.`}
      </p>
    </DialogForm>
  );
}

function Lines({ form, quote: { lines } }: { form: InvoicingForm; quote: Quote }) {
  return (
    <div>
      <ol className="divided" aria-label="Linjene på tilbudet">
        {lines.map((line, place) => (
          <li key={line.id} aria-label={`Linje ${place + 1}`}>
            <LineFields {...{ form, line, place }} />
          </li>
        ))}
      </ol>
      <FieldError message={errorAt(form.formState.errors, 'lines')} />
    </div>
  );
}

interface LineFieldsProps {
  readonly form: InvoicingForm;
  readonly line: Quote['lines'][number];
  readonly place: number;
}

/** Takes a line: all that is left of it or, of one that is chosen, a quantity or a percent. Typing one empties the other. */
function LineFields({ form, line, place }: LineFieldsProps) {
  const { control } = form;
  const { description, invoicedQuantity, unit, netUnitAmount, netAmount, netLeft } = line;
  const taken = useWiring({ control, name: `lines.${place}.isTaken` });
  const quantity = useWiring({ control, name: `lines.${place}.quantity` });
  const percent = useWiring({ control, name: `lines.${place}.percent` });
  const left = isLeft(line);
  const counted = `${formatCounted(invoicedQuantity, unit)} à ${showKroner(netUnitAmount)}`;
  const isWhole = netLeft === netAmount;
  const remainder = isWhole
    ? `${counted}, ${showKroner(netLeft)} uten mva.`
    : `${counted}. ${showKroner(netLeft)} uten mva. gjenstår.`;
  const wish = { quantity: quantity.value, percent: percent.value };
  const net = wish.quantity || wish.percent ? netOfPart(line, wish) : null;
  const hint = net === null ? undefined : `${showKroner(net)} uten mva.`;
  return (
    <div className="stack gap-2">
      <Checkbox
        label={description}
        hint={left ? remainder : `${counted}. Alt er fakturert.`}
        disabled={!left}
        checked={taken.value && left}
        onChange={({ target }) => taken.onChange(target.checked)}
      />
      {taken.value && left ? (
        <div className={`grid gap-4 ${styles.fields} ${styles.either}`}>
          <NumberField
            {...quantity}
            label="Antall"
            decimals={unit === undefined ? 0 : 3}
            min={0}
            onChange={(typed) => {
              quantity.onChange(typed);
              if (typed !== null) percent.onChange(null);
            }}
            hint={wish.quantity ? hint : 'Tomt: alt som gjenstår.'}
          />
          <NumberField
            {...percent}
            label="eller prosent"
            decimals={2}
            min={0}
            max={100}
            onChange={(typed) => {
              percent.onChange(typed);
              if (typed !== null) quantity.onChange(null);
            }}
            hint={wish.percent ? hint : undefined}
          />
        </div>
      ) : null}
    </div>
  );
}
