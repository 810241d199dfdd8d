import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { z } from 'zod/mini';

import { type Customer, customerFields } from '../../../domain/customer/customer.schema.ts';
import { tidyOrgNumber } from '../../../domain/text.ts';
import { fieldProps, Form, tidied, useSchemaForm } from '../../forms/Form.tsx';
import { Alert } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { customerQuery, useUpdateCustomer } from './customer.api.ts';
import { REQUIRED_OF_INVOICES } from './terms-labels.ts';
import { May } from '../session/Allowed.tsx';

/**
 * A hint in the form of an invoice whose only recipient has neither address nor organisation number, with the fields
 * (bokføringsforskriften § 5-1-2). It stops nothing (CUS-19).
 */
export function MissingBuyer({ customerNumber }: { readonly customerNumber: number }) {
  const { data: customer } = useQuery(customerQuery(customerNumber));
  if (!customer || customer.address1 || customer.orgNumber) return null;
  return (
    <Alert
      tone="warning"
      title={`${customer.name} mangler adresse`}
      action={<AddAddress customer={customer} />}
    >
      {REQUIRED_OF_INVOICES}
    </Alert>
  );
}

/** The buyer's address on a draft, in one line, or the same hint where it is missing. */
export function BuyerAddress({ customerNumber }: { readonly customerNumber: number }) {
  const { data: customer } = useQuery(customerQuery(customerNumber));
  if (!customer) return <p className="note">{'\u00A0'}</p>;
  const place = [customer.postalCode, customer.city].filter(Boolean).join(' ');
  if (customer.address1) {
    return <p className="note">{[customer.address1, place].filter(Boolean).join(', ')}</p>;
  }
  return (
    <p className="note toned" data-tone="amber">
      Adressen mangler. <AddAddress customer={customer} isInText />
    </p>
  );
}

function AddAddress({ customer, isInText = false }: { customer: Customer; isInText?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const close = () => setOpen(false);
  return (
    <May permission="edit">
      {isInText ? (
        <button type="button" className="link" onClick={open}>
          Legg til adresse
        </button>
      ) : (
        <Button onClick={open}>Legg til adresse</Button>
      )}
      {/* A form cannot be inside another one. */}
      {createPortal(
        <Modal
          title={`Adressen til ${customer.name}`}
          description={REQUIRED_OF_INVOICES}
          open={isOpen}
          onClose={close}
        >
          <BuyerForm customer={customer} onClose={close} />
        </Modal>,
        document.body,
      )}
    </May>
  );
}

const { orgNumber, address1, postalCode, city } = customerFields.shape;
const buyerForm = z.object({ orgNumber, address1, postalCode, city });

function BuyerForm({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const update = useUpdateCustomer(customer.customerNumber);
  const { credit: _, version, ...fields } = customer;
  const form = useSchemaForm(buyerForm, {
    orgNumber: customer.orgNumber,
    address1: customer.address1,
    postalCode: customer.postalCode,
    city: customer.city,
  });
  return (
    <Form
      form={form}
      label="Kjøperen"
      className="stack"
      onSubmit={async (typed) => {
        await update.mutateAsync({ values: { ...fields, ...typed }, version });
        onClose();
      }}
    >
      {customer.isPrivate ? null : (
        <TextField
          label="Organisasjonsnummer"
          inputMode="numeric"
          {...fieldProps(form, 'orgNumber', tidied(tidyOrgNumber))}
        />
      )}
      <TextField label="Adresse" {...fieldProps(form, 'address1')} />
      <div className="grid">
        <TextField label="Postnummer" inputMode="numeric" {...fieldProps(form, 'postalCode')} />
        <TextField label="Poststed" {...fieldProps(form, 'city')} />
      </div>
      <FormButtons label="Lagre" pending={update.isPending} onCancel={onClose} />
    </Form>
  );
}
