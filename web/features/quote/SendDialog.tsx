import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod/mini';

import { optional } from '../../../domain/api/validation.ts';
import { formatDate } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { requiredEmail } from '../../../domain/text.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { NAMES, showKroner } from '../../lib/number-text.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { Fetched, Skeleton } from '../../ui/Surface.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { useFeature } from '../session/session.api.ts';
import { quoteFilesQuery, useSendQuote } from './quote.api.ts';

interface SendDialogProps {
  readonly quote: Quote;
  readonly label: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Says what is mailed and to whom, and takes another address. */
export function SendDialog({ quote, label, open, onClose }: SendDialogProps) {
  const send = useSendQuote(quote.uuid);
  const customer = useQuery({
    ...customerQuery(quote.customerNumber ?? 0),
    enabled: open && quote.customerNumber !== null,
  });
  const hasAttachments = useFeature('attachments');
  const files = useQuery({ ...quoteFilesQuery(quote.uuid), enabled: open && hasAttachments });
  const { grossAmount, customerName, validUntil, state } = quote;
  const attached = files.data?.length ? `, ${files.data.length} vedlegg` : '';
  const what = `Tilbudet på ${showKroner(grossAmount)} med mva. sendes til ${customerName} på e-post, med PDF${attached} og lenke.`;
  const after =
    state === 'DRAFT'
      ? ` Kunden kan svare til og med ${formatDate(validUntil)}. Etter at det er sendt, må endringer gjøres i en ny versjon.`
      : ' Det er det samme som er sendt før.';
  return (
    <Modal
      title={label}
      description={what + after}
      open={open}
      pending={send.isPending}
      onClose={onClose}
    >
      <Fetched query={customer} pending={<Skeleton height="140px" />}>
        {(known) => (
          <Recipient addresses={invoiceAddressesOf(known)} {...{ label, send, onClose }} />
        )}
      </Fetched>
    </Modal>
  );
}

interface RecipientProps extends Pick<SendDialogProps, 'label' | 'onClose'> {
  /** Where it goes unless another address is typed. */
  readonly addresses: readonly string[];
  readonly send: ReturnType<typeof useSendQuote>;
}

/** Empty means the customer's addresses. */
const toCustomer = z.object({ recipient: optional(requiredEmail()) });
const onlyAddress = z.object({ recipient: requiredEmail() });

function Recipient({ addresses, label, send, onClose }: RecipientProps) {
  const isMissing = addresses.length === 0;
  const [isOther, setOther] = useState(isMissing);
  const schema: z.ZodMiniType<{ recipient: string | null }> = isOther ? onlyAddress : toCustomer;
  const form = useSchemaForm(schema, { recipient: '' });
  const { setFocus } = form;
  useEffect(() => {
    if (isOther) setFocus('recipient');
  }, [isOther, setFocus]);
  return (
    <Form
      form={form}
      label="Mottaker"
      onSubmit={async ({ recipient }) => {
        await send.mutateAsync(recipient);
        onClose();
      }}
    >
      {isOther ? (
        <TextField
          label={isMissing ? 'Kundens e-post' : 'Annen adresse'}
          type="email"
          required
          hint={isMissing ? 'Kunden mangler e-postadresse. Denne brukes bare nå.' : undefined}
          {...fieldProps(form, 'recipient')}
        />
      ) : (
        <div>
          <p>
            Sendes til <strong>{NAMES.format(addresses.map(readableEmail))}</strong>.
          </p>
          <Button variant="quiet" onClick={() => setOther(true)}>
            Send til en annen adresse
          </Button>
        </div>
      )}
      <FormButtons label={label} pending={send.isPending} onCancel={onClose} />
    </Form>
  );
}
