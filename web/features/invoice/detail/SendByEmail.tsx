import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Fetched } from '../../../ui/Fetched.tsx';
import { SendIcon } from '../../../ui/icons.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { AddressForm } from '../AddressForm.tsx';
import { useSendByEmail } from '../invoice.api.ts';

interface SendByEmailProps {
  readonly invoice: Invoice;
  readonly disabled?: boolean;
}

/**
 * Asks for an address and sends the document there by e-mail, whatever its delivery type. Proposes the customer's
 * current address, and none if the customer is deleted.
 */
export function SendByEmail({ invoice, disabled = false }: SendByEmailProps) {
  const [isAsking, setAsking] = useState(false);
  const send = useSendByEmail(invoice.uuid);
  const { currentCustomerNumber: customerNumber } = invoice;
  const isAsked = isAsking && customerNumber !== null;
  const customer = useQuery({ ...customerQuery(customerNumber ?? 0), enabled: isAsked });
  const close = () => setAsking(false);
  const form = (email: string) => (
    <AddressForm
      label="E-post"
      email={email}
      submitLabel="Send"
      pending={send.isPending}
      onClose={close}
      onAddress={async (recipient) => send.mutateAsync(recipient)}
    />
  );
  return (
    <>
      <Button icon={<SendIcon />} disabled={disabled} onClick={() => setAsking(true)}>
        Send på e-post
      </Button>
      <Modal title="Send på e-post" open={isAsking} pending={send.isPending} onClose={close}>
        {isAsked ? <Fetched query={customer}>{({ email }) => form(email ?? '')}</Fetched> : null}
        {isAsking && !isAsked ? form('') : null}
      </Modal>
    </>
  );
}
