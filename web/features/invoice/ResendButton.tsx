import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod/mini';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import type { Delivery } from '../../../domain/delivery/delivery.schema.ts';
import { readableEmail } from '../../../domain/email.ts';
import { requiredEmail } from '../../../domain/text.ts';
import { invoiceAddressesOf } from '../../../domain/parties.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { SendIcon } from '../../ui/icons.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { customerQuery, useUpdateCustomer } from '../customer/customer.api.ts';
import { useCan } from '../session/session.api.ts';

interface ResendButtonProps extends Pick<ButtonProps, 'icon' | 'disabled' | 'aria-describedby'> {
  readonly label: string;
  /** The latest delivery. */
  readonly delivery:
    | Pick<Delivery, 'deliveryType' | 'stoppedBy' | 'recipients' | 'unreached'>
    | undefined;
  /** Null once the customer is deleted. */
  readonly customerNumber: number | null;
  readonly pending: boolean;
  /** Sends to a typed address or, without one, to those that the customer has. */
  readonly onSend: (recipient?: string) => Promise<unknown>;
}

interface Asked {
  readonly customer: Customer | null;
  /** The addresses that failed, and that it would go to once more. */
  readonly failed: readonly string[];
}

/** Sends a document, mostly once more. Asks for another address first where it would go to one that has failed. */
export function ResendButton(props: ResendButtonProps) {
  const {
    label,
    delivery,
    customerNumber,
    pending,
    onSend,
    icon = <SendIcon />,
    ...button
  } = props;
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  // Somebody may have corrected the address since the screen was read.
  const read = useMutation({
    mutationFn: async () =>
      customerNumber === null || failedOf(delivery).length === 0
        ? null
        : queryClient.query({ ...customerQuery(customerNumber), staleTime: 0 }),
    onSuccess: async (customer) => {
      const failed = failedOf(delivery).filter((one) => !customer || isHeldBy(customer, one));
      if (failed.length > 0) setAsked({ customer, failed });
      else await onSend().catch(() => undefined);
    },
  });
  return (
    <>
      <Button
        {...button}
        icon={icon}
        pending={pending || read.isPending}
        onClick={() => read.mutate()}
      >
        {label}
      </Button>
      <Modal
        title={label}
        description={
          asked ? `Kom ikke fram til ${asked.failed.map(readableEmail).join(' og ')}.` : ''
        }
        open={asked !== undefined}
        pending={pending}
        onClose={() => setAsked(undefined)}
      >
        {asked ? (
          <NewAddresses
            {...asked}
            pending={pending}
            onSend={onSend}
            onClose={() => setAsked(undefined)}
          />
        ) : null}
      </Modal>
    </>
  );
}

/** The addresses of mail that did not arrive; none where it was stopped, or is no mail. */
function failedOf(delivery: ResendButtonProps['delivery']): string[] {
  if (!delivery || delivery.stoppedBy || delivery.deliveryType !== 'EMAIL') return [];
  const failed = delivery.recipients.filter(({ status }) => status === 'FAILED');
  return [...new Set([...delivery.unreached, ...failed.map(({ address }) => address)])];
}

function isHeldBy(customer: Customer, address: string): boolean {
  return invoiceAddressesOf(customer).some((one) => isSame(one, address));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const newAddresses = z.object({ addresses: z.array(z.object({ email: requiredEmail() })) });

interface NewAddressesProps extends Asked, Pick<ResendButtonProps, 'pending' | 'onSend'> {
  readonly onClose: () => void;
}

function NewAddresses({ customer, failed, pending, onSend, onClose }: NewAddressesProps) {
  const update = useUpdateCustomer(customer?.customerNumber ?? 0);
  const canEdit = useCan('edit');
  const isSaved = customer !== null && canEdit;
  // Without a customer it goes to the typed address alone.
  const asked = isSaved ? failed : failed.slice(0, 1);
  const form = useSchemaForm(newAddresses, { addresses: asked.map((email) => ({ email })) });
  const sendAgain = async (recipient?: string) => {
    await onSend(recipient).catch(() => undefined);
    onClose();
  };
  return (
    <Form
      form={form}
      label="Adresser"
      onSubmit={async ({ addresses }) => {
        const typed = addresses.map(({ email }) => email);
        if (typed.every((email, index) => isSame(email, asked[index] ?? ''))) {
          form.setError('addresses.0.email', { message: 'Skriv en annen adresse' });
          return;
        }
        if (isSaved) await update.mutateAsync(corrected(customer, asked, typed));
        await sendAgain(isSaved ? undefined : typed[0]);
      }}
    >
      {asked.map((address, index) => (
        <TextField
          key={address}
          label={asked.length === 1 ? 'Ny adresse' : `Ny adresse for ${readableEmail(address)}`}
          type="email"
          required
          {...fieldProps(form, `addresses.${index}.email`)}
        />
      ))}
      <div>
        <Button variant="quiet" disabled={pending} onClick={() => void sendAgain()}>
          Prøv samme adresse igjen
        </Button>
      </div>
      <FormButtons
        label={isSaved ? 'Lagre hos kunden og send' : 'Send'}
        pending={pending || update.isPending}
        onCancel={onClose}
      />
    </Form>
  );
}

/** The customer with other addresses in place of those that failed. */
function corrected(changed: Customer, failed: readonly string[], typed: readonly string[]) {
  const { credit: _, version, ...fields } = changed;
  const instead = (address: string) =>
    typed[failed.findIndex((one) => isSame(one, address))] ?? address;
  const values = {
    ...fields,
    email: fields.email && instead(fields.email),
    invoiceEmails: [...new Set(fields.invoiceEmails.map(instead))],
  };
  return { values, version };
}
