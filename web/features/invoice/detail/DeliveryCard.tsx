import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { readableEmail } from '../../../../domain/email.ts';
import { formatInstant } from '../../../../domain/date.ts';
import type { EInvoiceVerdict } from '../../../../domain/einvoice/einvoice-duty.ts';
import type { Evidence } from '../../../../domain/einvoice/einvoice.schema.ts';
import { REACHABILITY_WORDS } from '../../../../domain/ehf/ehf.schema.ts';
import type { Delivery } from '../../../../domain/delivery/delivery.schema.ts';
import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import {
  canBeResent,
  canBeMailed,
  type InvoiceStatus,
} from '../../../../domain/invoice/invoice.status.ts';
import { invoiceAddressesOf } from '../../../../domain/parties.ts';
import { Alert, Card, Fetched } from '../../../ui/Surface.tsx';
import { NAMES } from '../../../lib/number-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { SendIcon } from '../../../ui/icons.tsx';
import { Steps } from '../../../ui/Steps.tsx';
import { useResendInvoice, useSendByEmail } from '../invoice.api.ts';
import { isPartCredited } from '../overdue.ts';
import { addressesOf, DELIVERY_STATUS_LABELS } from '../invoice-labels.ts';
import styles from './DeliveryCard.module.css';
import { customerQuery } from '../../customer/customer.api.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { AddressForm } from '../AddressForm.tsx';
import { ResendButton } from '../ResendButton.tsx';

const STEPS = (['PENDING', 'QUEUED', 'SENT'] as const).map(
  (status) => DELIVERY_STATUS_LABELS[status].text,
);
/** The number of steps that are done. SENT is the last, so all are done. */
const STEPS_DONE = { QUEUED: 1, SENT: STEPS.length } as const;

const SETTLED: Partial<Record<InvoiceStatus, string>> = { PAID: 'betalt', CANCELLED: 'kreditert' };

export function DeliveryCard({ invoice }: { invoice: Invoice }) {
  const mayBeMailed = canBeMailed(invoice) || isUnconfirmed(invoice);
  return (
    <Card heading="Leveringer" aside={mayBeMailed ? <SendByEmail invoice={invoice} /> : null}>
      <div aria-live="polite" className="stack gap-6">
        <Deliveries invoice={invoice} />
        <LookUp einvoice={invoice.einvoice} />
      </div>
      <UnstampedNote invoice={invoice} />
      {canBeResent(invoice) ? <ResendButtons invoice={invoice} /> : null}
    </Card>
  );
}

const VERDICTS: Readonly<Record<EInvoiceVerdict, string>> = {
  EHF: 'Sendt som EHF',
  RECIPIENT_CANNOT: 'Kunden kunne ikke motta EHF',
  NO_ANSWER: 'Ikke avklart om kunden kan motta EHF',
  OTHER_WAY: 'Kunne vært sendt som EHF',
};

/** Shows the network's answer about the buyer, and how the document went as an e-invoice (EINV-4, EINV-5). */
function LookUp({ einvoice }: { einvoice: Invoice['einvoice'] }) {
  const { verdict, evidence } = einvoice ?? {};
  if (!verdict) return null;
  return (
    <div className="note">
      <p className="strong">{VERDICTS[verdict]}</p>
      {evidence ? <p>{lookUpText(evidence)}</p> : null}
      {evidence?.network === 'test' ? <p>Svaret er fra testnettet, og beviser ingenting.</p> : null}
    </div>
  );
}

function lookUpText({ outcome, cause, askedAt }: Evidence): string {
  if (outcome === 'NOT_ASKED') return 'ELMA ble ikke spurt.';
  if (cause === 'INVALID_NUMBER')
    return 'Organisasjonsnummeret er ikke gyldig, så ELMA ble ikke spurt.';
  const at = askedAt ? ` ${formatInstant(askedAt).replace(',', ' kl.')}` : '';
  return `ELMA-oppslag${at}: ${REACHABILITY_WORDS[outcome]}`;
}

/** Whether every delivery under way is an EHF without a receipt after three days. */
function isUnconfirmed({ status, deliveries }: Invoice): boolean {
  const open = deliveries.filter((delivery) => delivery.status === 'QUEUED');
  return status !== 'CANCELLED' && open.length > 0 && open.every(({ unconfirmed }) => unconfirmed);
}

/** Explains that the PDF of a sent invoice is never stamped. */
function UnstampedNote({ invoice }: { invoice: Invoice }) {
  const { status, deliveryStatus } = invoice;
  const since = [SETTLED[status], isPartCredited(invoice) && 'delvis kreditert']
    .filter(Boolean)
    .join(' og ');
  if (deliveryStatus !== 'SENT' || since === '') return null;
  return (
    <p className="note">
      PDF-en er den som ble sendt. At fakturaen siden er {since}, står ikke på den.
    </p>
  );
}

function ResendButtons({ invoice }: { invoice: Invoice }) {
  const resend = useResendInvoice();
  const send = useSendByEmail(invoice.uuid);
  const last = invoice.deliveries.at(-1);
  const label = last?.stoppedBy ? 'Send likevel' : 'Send på nytt';
  const isMissed = last?.status === 'SENT';
  const isEhf = last?.deliveryType === 'EHF';
  const mayGoByEmail = isEhf || invoice.deliveryType === 'NONE';
  const { currentCustomerNumber: customerNumber } = invoice;
  const isToCustomer = invoice.kind === 'INVOICE' && !isEhf && customerNumber !== null;
  const { data: customer } = useQuery({
    ...customerQuery(customerNumber ?? 0),
    enabled: isToCustomer && !isMissed,
  });
  return (
    <div className="row">
      <ResendButton
        label={label}
        delivery={last}
        customerNumber={invoice.currentCustomerNumber}
        pending={resend.isPending || send.isPending}
        onSend={async (recipient) =>
          recipient === undefined ? resend.mutateAsync(invoice.uuid) : send.mutateAsync(recipient)
        }
      />
      {mayGoByEmail ? <SendByEmail invoice={invoice} disabled={resend.isPending} /> : null}
      <p className="note">
        {isMissed
          ? 'Går bare til dem som ikke har fått den, på adressene som kunden har nå.'
          : `${mayGoByEmail ? `«${label}» går` : 'Sendes'} ${whereAgain(invoice.kind, isEhf, isToCustomer ? customer : undefined)}`}
      </p>
    </div>
  );
}

/** @param customer where it goes to the addresses of one */
function whereAgain(
  kind: Invoice['kind'],
  isEhf: boolean,
  customer: Pick<Customer, 'email' | 'invoiceEmails'> | undefined,
): string {
  const current = customer ? invoiceAddressesOf(customer) : [];
  if (current.length > 0) return `til ${NAMES.format(current.map(readableEmail))}.`;
  const address = isEhf
    ? 'organisasjonsnummeret som står på dokumentet'
    : 'adressen som kunden har nå';
  return kind === 'CREDIT_NOTE'
    ? `dit fakturaen kom fram, ellers til ${address}.`
    : `til ${address}.`;
}

function Deliveries({ invoice }: { invoice: Invoice }) {
  if (invoice.deliveries.length > 0) {
    return invoice.deliveries.map((delivery) => (
      <DeliveryProgress key={delivery.uuid} delivery={delivery} />
    ));
  }
  if (invoice.deliveryType === 'NONE') {
    return <p className="soft">Ingen leveringsmetode er valgt</p>;
  }
  return <Steps label="Levering" labels={STEPS} done={0} />;
}

function DeliveryProgress({ delivery }: { delivery: Delivery }) {
  if (delivery.stoppedBy) return <Alert>{delivery.failureReason}</Alert>;
  if (delivery.status === 'FAILED') {
    return (
      <Alert tone="error" title={DELIVERY_STATUS_LABELS.FAILED.text}>
        {delivery.recipient ? `${whereTo(delivery)}. ` : null}
        {delivery.failureReason}
      </Alert>
    );
  }
  return (
    <div className={delivery.status === 'SENT' ? 'row' : `stack gap-3 ${styles.waiting}`}>
      <Steps label="Levering" labels={STEPS} done={STEPS_DONE[delivery.status]} />
      <p className="note">
        {whereTo(delivery)}
        {delivery.sentTime ? `, ${formatInstant(delivery.sentTime)}` : null}
      </p>
      <NotReached delivery={delivery} />
      {delivery.status === 'SENT' ? (
        <TriedAgain delivery={delivery} />
      ) : (
        <WhyItWaits delivery={delivery} />
      )}
      {delivery.unconfirmed ? (
        <p className="note">
          Etter tre dager har vi ikke fått vite om den kom fram. Spør kunden, eller send den på
          e-post.
        </p>
      ) : null}
    </div>
  );
}

/** The addresses that did not get a mail that others got. */
function NotReached({ delivery: { status, recipients } }: { delivery: Delivery }) {
  if (status === 'FAILED') return null;
  return recipients
    .filter((one) => one.status === 'FAILED')
    .map(({ address, reason }) => (
      <Alert key={address} tone="warning" title={`Ikke levert til ${readableEmail(address)}`}>
        {reason}
      </Alert>
    ));
}

/** The addresses that a mail could not reach for the moment, although others got it. */
function TriedAgain({ delivery: { recipients } }: { delivery: Delivery }) {
  return recipients
    .filter(({ status }) => status === 'QUEUED')
    .map(({ address, reason }) => (
      <p key={address} className="note">
        Prøves igjen for {readableEmail(address)}. {reason}
      </p>
    ));
}

function whereTo(delivery: Delivery): string | null {
  if (delivery.recipient === null) return null;
  const text = addressesOf(delivery, delivery.status);
  return delivery.deliveryType === 'EHF' ? `Som EHF til ${text}` : `Til ${text}`;
}

function WhyItWaits({ delivery: { waitingReason, deferredUntil } }: { delivery: Delivery }) {
  if (waitingReason === null) return null;
  const until =
    deferredUntil === null ? 'Prøves igjen' : `Venter til ${formatInstant(deferredUntil)}`;
  return (
    <p className="note">
      {until}. {waitingReason}
    </p>
  );
}

interface SendByEmailProps {
  readonly invoice: Invoice;
  readonly disabled?: boolean;
}

/**
 * Asks for an address and sends the document there by e-mail, whatever its delivery type. Proposes the customer's
 * current address, and none if the customer is deleted.
 */
function SendByEmail({ invoice, disabled = false }: SendByEmailProps) {
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
