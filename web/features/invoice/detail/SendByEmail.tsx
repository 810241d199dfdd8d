import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { requiredEmail } from '../../../../domain/text.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Fetched } from '../../../ui/Fetched.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { fieldProps, Form, useSchemaForm } from '../../../forms/Form.tsx';
import { SendIcon } from '../../../ui/icons.tsx';
import { Modal, ModalButtons } from '../../../ui/Modal.tsx';
import { useSendByEmail } from '../invoice.api.ts';
import styles from './DeliveryCard.module.css';

interface SendByEmailProps {
  readonly invoice: Invoice;
  readonly disabled?: boolean;
}

/** Asks for an address and sends the document there by e-mail, whatever its delivery type. */
export function SendByEmail({ invoice, disabled = false }: SendByEmailProps) {
  const [isAsking, setAsking] = useState(false);
  const send = useSendByEmail(invoice.uuid);
  const close = () => setAsking(false);
  return (
    <>
      <Button icon={<SendIcon />} disabled={disabled} onClick={() => setAsking(true)}>
        Send på e-post
      </Button>
      <Modal title="Send på e-post" open={isAsking} pending={send.isPending} onClose={close}>
        {isAsking ? <Recipient {...{ invoice, send, onClose: close }} /> : null}
      </Modal>
    </>
  );
}

interface RecipientProps {
  readonly invoice: Invoice;
  readonly send: ReturnType<typeof useSendByEmail>;
  readonly onClose: () => void;
}

/** Proposes the customer's current address; proposes none if the customer is deleted. */
function Recipient(props: RecipientProps) {
  const { currentCustomerNumber: customerNumber } = props.invoice;
  const hasCustomer = customerNumber !== null;
  const query = useQuery({ ...customerQuery(customerNumber ?? 0), enabled: hasCustomer });
  if (!hasCustomer) return <RecipientForm {...props} email="" />;
  return (
    <Fetched query={query}>
      {({ email }) => <RecipientForm {...props} email={email ?? ''} />}
    </Fetched>
  );
}

const recipientForm = z.object({ recipient: requiredEmail() });

function RecipientForm({ email, send, onClose }: RecipientProps & { readonly email: string }) {
  const form = useSchemaForm(recipientForm, { recipient: email });
  const { setFocus } = form;
  // The dialog opened before the field existed, so it could not focus it.
  useEffect(() => setFocus('recipient'), [setFocus]);
  return (
    <Form
      form={form}
      label="Mottaker"
      className={styles.recipient}
      onSubmit={async ({ recipient }) => {
        await send.mutateAsync(recipient);
        onClose();
      }}
    >
      <TextField
        label="E-post"
        type="email"
        autoComplete="off"
        required
        {...fieldProps(form, 'recipient')}
      />
      <ModalButtons>
        <Button disabled={send.isPending} onClick={onClose}>
          Avbryt
        </Button>
        <Button type="submit" variant="primary" pending={send.isPending}>
          Send
        </Button>
      </ModalButtons>
    </Form>
  );
}
