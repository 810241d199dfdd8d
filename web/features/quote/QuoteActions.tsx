import { useState } from 'react';
import { useNavigate } from 'react-router';

import { todayInOslo } from '../../../domain/date.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import type { QuoteState } from '../../../domain/quote/quote.state.ts';
import { copyText } from '../../lib/copy-text.ts';
import { showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx';
import { FileIcon, PencilIcon, SendIcon } from '../../ui/icons.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { May } from '../session/Allowed.tsx';
import { AcceptButton, DeclineButton } from './AnswerDialogs.tsx';
import { InvoiceButton } from './InvoiceDialog.tsx';
import { useReviseQuote, useWithdrawQuote } from './quote.api.ts';
import { SendDialog } from './SendDialog.tsx';

const isAnyOf =
  (...states: readonly QuoteState[]) =>
  ({ state }: Quote) =>
    states.includes(state);

const isOpen = isAnyOf('SENT', 'EXPIRED');
const canBeAccepted = isAnyOf('SENT', 'EXPIRED', 'DECLINED');
const canBeInvoiced = isAnyOf('ACCEPTED', 'PARTLY_INVOICED');
/** The mail of a quote without an answer did not arrive, so sending it again comes first. */
const isMissed = ({ state, deliveries: [last] }: Quote) =>
  state === 'SENT' && last?.status === 'FAILED';
/** A draft that cannot be sent before its last day or its sum is changed. */
const isUnsendable = ({ state, validUntil, grossAmount }: Quote) =>
  state === 'DRAFT' && (validUntil < todayInOslo() || grossAmount < 0);

/** The acts on a quote beside the next one. */
export function QuoteActions({ quote }: { quote: Quote }) {
  const { uuid, state, url } = quote;
  const isDraft = state === 'DRAFT';
  return (
    <>
      <May permission="edit">
        {isDraft && !isUnsendable(quote) ? (
          <ButtonLink to={paths.quoteEdit(uuid)} icon={<PencilIcon />}>
            Endre
          </ButtonLink>
        ) : null}
      </May>
      <ButtonAnchor href={paths.quotePdf(uuid)} icon={<FileIcon />}>
        {isDraft ? 'Forhåndsvis PDF' : 'Vis PDF'}
      </ButtonAnchor>
      {url === null || state === 'WITHDRAWN' ? null : (
        <Button onClick={() => void copyText(url, 'Lenken er kopiert!')}>
          Kopier lenke til kunden
        </Button>
      )}
      <May permission="issue">
        {state === 'SENT' && !isMissed(quote) ? (
          <SendButton quote={quote} label="Send på nytt" />
        ) : null}
        {isOpen(quote) ? <DeclineButton quote={quote} /> : null}
        {isMissed(quote) || state === 'EXPIRED' || state === 'DECLINED' ? (
          <AcceptButton quote={quote} />
        ) : null}
        {isOpen(quote) ? <WithdrawButton quote={quote} /> : null}
      </May>
      <May permission="edit">
        {state === 'SENT' ? <ReviseButton quote={quote} /> : null}
        <ButtonLink to={paths.quoteCopy(uuid)}>Kopier</ButtonLink>
      </May>
    </>
  );
}

/** The next act: send a draft or what did not arrive, note the answer, begin again, or invoice what was accepted. */
export function NextAct({ quote }: { quote: Quote }) {
  const { state } = quote;
  if (isUnsendable(quote)) {
    return (
      <May permission="edit">
        <ButtonLink to={paths.quoteEdit(quote.uuid)} variant="primary" icon={<PencilIcon />}>
          {quote.grossAmount < 0 ? 'Endre tilbudet' : 'Endre datoen'}
        </ButtonLink>
      </May>
    );
  }
  if (state === 'DRAFT' || isMissed(quote)) {
    return (
      <May permission="issue">
        <SendButton
          quote={quote}
          label={state === 'DRAFT' ? 'Send tilbud' : 'Send på nytt'}
          isPrimary
        />
      </May>
    );
  }
  if (state === 'SENT') {
    return (
      <May permission="issue">
        <AcceptButton quote={quote} />
      </May>
    );
  }
  if (canBeAccepted(quote)) {
    if (quote.customerNumber === null) return null;
    return (
      <May permission="edit">
        <ReviseButton quote={quote} isPrimary />
      </May>
    );
  }
  if (!canBeInvoiced(quote)) return null;
  return (
    <May permission="edit">
      <InvoiceButton quote={quote} />
    </May>
  );
}

interface ActProps {
  readonly quote: Quote;
  readonly isPrimary?: boolean;
}

function SendButton({ quote, label, isPrimary = false }: ActProps & { readonly label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        icon={<SendIcon />}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <SendDialog {...{ quote, label }} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function WithdrawButton({ quote: { uuid, quoteNumber, customerName, grossAmount } }: ActProps) {
  const withdraw = useWithdrawQuote(uuid);
  return (
    <ConfirmButton
      label="Trekk tilbake"
      title={`Trekke tilbake tilbud ${quoteNumber}?`}
      confirmLabel="Trekk tilbake"
      pending={withdraw.isPending}
      onConfirm={(onSuccess) => withdraw.mutate(undefined, { onSuccess })}
    >
      {`Tilbudet på ${showKroner(grossAmount)} til ${customerName} kan da ikke godtas, og det kan ikke gjøres om. Kunden får ikke beskjed.`}
    </ConfirmButton>
  );
}

function ReviseButton({ quote: { uuid }, isPrimary = false }: ActProps) {
  const navigate = useNavigate();
  const revise = useReviseQuote(uuid, () => void navigate(paths.quoteEdit(uuid)));
  return (
    <Button
      variant={isPrimary ? 'primary' : 'secondary'}
      pending={revise.isPending}
      onClick={() => revise.mutate()}
    >
      Lag ny versjon
    </Button>
  );
}
