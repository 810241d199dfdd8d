import { useQuery } from '@tanstack/react-query';

import { todayInOslo } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { quoteAcceptance, quoteDecline } from '../../../domain/quote/offer.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { DialogButton, DialogForm } from '../../forms/DialogForm.tsx';
import { ControlledDate } from '../../forms/GuardedForm.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { Checkbox, TextArea, TextField } from '../../ui/Field.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { useAcceptQuote, useDeclineQuote } from './quote.api.ts';

interface AnswerProps {
  readonly quote: Quote;
}

/** Notes that the customer has said yes, by telephone or on paper (QUO-74). */
export function AcceptButton({ quote }: AnswerProps) {
  const accept = useAcceptQuote(quote.uuid);
  return (
    <DialogButton
      label="Marker som godtatt"
      icon={<CheckIcon />}
      title={`Marker tilbud ${quote.quoteNumber} som godtatt`}
      description={`Tilbudet på ${showKroner(quote.grossAmount)} med mva. til ${quote.customerName} kan faktureres når det er godtatt. Det kan ikke gjøres om.`}
      pending={accept.isPending}
    >
      {(close) => <AcceptForm {...{ quote, accept }} onClose={close} />}
    </DialogButton>
  );
}

interface AcceptFormProps extends AnswerProps {
  readonly accept: ReturnType<typeof useAcceptQuote>;
  readonly onClose: () => void;
}

function AcceptForm({ quote, accept, onClose }: AcceptFormProps) {
  const { customerNumber, customerIsPrivate, customerName } = quote;
  const { data: customer } = useQuery({
    ...customerQuery(customerNumber ?? 0),
    enabled: customerNumber !== null,
  });
  const form = useSchemaForm(quoteAcceptance, {
    name: customerIsPrivate ? customerName : '',
    date: todayInOslo(),
    note: '',
    sendConfirmation: false,
  });
  const addresses = customer ? invoiceAddressesOf(customer).map(readableEmail) : [];
  return (
    <DialogForm
      form={form}
      name={`accept ${quote.uuid}`}
      save={accept}
      submitLabel="Marker som godtatt"
      onClose={onClose}
      className="stack"
      label="Godtatt"
    >
      <TextField
        label="Hvem sa ja?"
        required
        hint="Navnet står på ordrebekreftelsen."
        {...fieldProps(form, 'name')}
      />
      <ControlledDate control={form.control} name="date" label="Dato" required />
      <TextArea
        rows={2}
        label="Merknad"
        hint="Bare for deg, for eksempel «på telefon»."
        {...fieldProps(form, 'note')}
      />
      <Checkbox
        label="Send ordrebekreftelse til kunden"
        hint={addresses.length > 0 ? `Sendes til ${addresses.join(', ')}.` : undefined}
        {...form.register('sendConfirmation')}
      />
    </DialogForm>
  );
}

/** Notes that the customer has said no. */
export function DeclineButton({ quote }: AnswerProps) {
  const decline = useDeclineQuote(quote.uuid);
  return (
    <DialogButton
      label="Marker som avslått"
      title={`Marker tilbud ${quote.quoteNumber} som avslått`}
      description={`${quote.customerName} kan da ikke godta på nettet. Du kan lage en ny versjon, eller markere det som godtatt, hvis kunden ombestemmer seg.`}
      pending={decline.isPending}
    >
      {(close) => <DeclineForm {...{ quote, decline }} onClose={close} />}
    </DialogButton>
  );
}

interface DeclineFormProps extends AnswerProps {
  readonly decline: ReturnType<typeof useDeclineQuote>;
  readonly onClose: () => void;
}

function DeclineForm({ quote, decline, onClose }: DeclineFormProps) {
  const form = useSchemaForm(quoteDecline, { note: '' });
  return (
    <DialogForm
      form={form}
      name={`decline ${quote.uuid}`}
      save={decline}
      submitLabel="Marker som avslått"
      onClose={onClose}
      className="stack"
      label="Avslått"
    >
      <TextArea rows={2} label="Årsak" hint="Bare for deg." {...fieldProps(form, 'note')} />
    </DialogForm>
  );
}
