import { useQuery } from '@tanstack/react-query';

import { todayInOslo } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { quoteAcceptance, quoteDecline } from '../../../domain/quote/offer.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { ControlledDate, GuardedForm } from '../../forms/GuardedForm.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { Checkbox, TextArea, TextField } from '../../ui/Field.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { useAcceptQuote, useDeclineQuote } from './quote.api.ts';

interface AnswerDialogProps {
  readonly quote: Quote;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Notes that the customer has said yes, by telephone or on paper (QUO-74). */
export function AcceptDialog({ quote, open, onClose }: AnswerDialogProps) {
  const accept = useAcceptQuote(quote.uuid);
  return (
    <Modal
      title={`Marker tilbud ${quote.quoteNumber} som godtatt`}
      description={`Tilbudet på ${showKroner(quote.grossAmount)} med mva. til ${quote.customerName} kan faktureres når det er godtatt. Det kan ikke gjøres om.`}
      open={open}
      pending={accept.isPending}
      onClose={() => leave(onClose)}
    >
      <AcceptForm {...{ quote, accept, onClose }} />
    </Modal>
  );
}

interface AcceptFormProps extends Pick<AnswerDialogProps, 'quote' | 'onClose'> {
  readonly accept: ReturnType<typeof useAcceptQuote>;
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
    <GuardedForm
      form={form}
      name={`accept ${quote.uuid}`}
      save={accept}
      onSaved={onClose}
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
      <FormButtons
        label="Marker som godtatt"
        pending={accept.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}

/** Notes that the customer has said no. */
export function DeclineDialog({ quote, open, onClose }: AnswerDialogProps) {
  const decline = useDeclineQuote(quote.uuid);
  return (
    <Modal
      title={`Marker tilbud ${quote.quoteNumber} som avslått`}
      description={`${quote.customerName} kan da ikke godta på nettet. Du kan lage en ny versjon, eller markere det som godtatt, hvis kunden ombestemmer seg.`}
      open={open}
      pending={decline.isPending}
      onClose={() => leave(onClose)}
    >
      <DeclineForm {...{ quote, decline, onClose }} />
    </Modal>
  );
}

interface DeclineFormProps extends Pick<AnswerDialogProps, 'quote' | 'onClose'> {
  readonly decline: ReturnType<typeof useDeclineQuote>;
}

function DeclineForm({ quote, decline, onClose }: DeclineFormProps) {
  const form = useSchemaForm(quoteDecline, { note: '' });
  return (
    <GuardedForm
      form={form}
      name={`decline ${quote.uuid}`}
      save={decline}
      onSaved={onClose}
      className="stack"
      label="Avslått"
    >
      <TextArea rows={2} label="Årsak" hint="Bare for deg." {...fieldProps(form, 'note')} />
      <FormButtons
        label="Marker som avslått"
        pending={decline.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}
