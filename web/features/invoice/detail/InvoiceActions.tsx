import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import {
  canBecome,
  canChange,
  isShownStamped,
  deletableStatus,
} from '../../../../domain/invoice/invoice.status.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import { ApiError, ConnectionLost } from '../../../lib/api-error.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { paths } from '../../../lib/paths.ts';
import { showSuccess, showToast } from '../../../lib/toasts.ts';
import { unprintableOf } from '../../../lib/unprintable.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../../ui/Button.tsx';
import { useQuestion } from '../../../ui/Modal.tsx';
import { CheckIcon, DownloadIcon, FileIcon, SendIcon, ShareIcon } from '../../../ui/icons.tsx';
import { UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { May } from '../../session/Allowed.tsx';
import { useCan, useFeature } from '../../session/session.api.ts';
import type { CreditDialogProps } from '../credit/CreditDialog.tsx';
import { nameOf } from '../invoice-labels.ts';
import {
  undoOf,
  useQueueInvoices,
  useUpdateInvoices,
  type useUpdateInvoice,
} from '../invoice.api.ts';
import { PaidDialog } from '../PaidDialog.tsx';
import { SendingQuestion } from '../SendingQuestion.tsx';
import { UnpaidDialog, usePaidButton } from '../UnpaidDialog.tsx';

interface InvoiceActionsProps extends PaidToggleProps {
  readonly remind: ReactNode;
}

export function InvoiceActions({ remind, ...props }: InvoiceActionsProps) {
  const { invoice } = props;
  const hasCredit = useFeature('credit');
  const hasReminders = useFeature('reminders');
  const canEdit = useCan('edit');
  const canIssue = useCan('issue');
  const isDraft = invoice.status === 'DRAFT';
  return (
    <>
      {isDraft && canEdit ? (
        <ButtonLink to={paths.invoiceEdit(invoice.uuid)}>Endre</ButtonLink>
      ) : null}
      <ButtonAnchor href={paths.invoicePdf(invoice.uuid)} icon={<FileIcon />}>
        {isDraft ? 'Forhåndsvis PDF' : 'Vis PDF'}
      </ButtonAnchor>
      {canShareFiles() ? <SharePdf key={invoice.status} invoice={invoice} /> : null}
      {isShownStamped(invoice) ? (
        <ButtonAnchor href={paths.invoiceOriginal(invoice.uuid)} icon={<FileIcon />}>
          Vis original
        </ButtonAnchor>
      ) : null}
      {!isDraft && isValidOrgNumber(invoice.customerIdentifier ?? '') ? (
        <ButtonAnchor href={paths.invoiceEhf(invoice.uuid)} icon={<DownloadIcon />}>
          Last ned EHF
        </ButtonAnchor>
      ) : null}
      {invoice.kind === 'INVOICE' && canEdit ? (
        <ButtonLink to={paths.invoiceCopy(invoice.uuid)}>Kopier</ButtonLink>
      ) : null}
      {hasCredit && canIssue ? <CreditInvoice invoice={invoice} /> : null}
      <May permission="payments">
        {remind ?? (hasReminders ? null : <Button disabled>Send purring</Button>)}
        {isDraft ? <Button disabled>Sett til betalt</Button> : null}
        {props.onPay || !canChange(invoice) ? null : <PaidEarlier invoice={invoice} />}
      </May>
    </>
  );
}

interface MainActionProps extends PaidToggleProps, RegisterButtonProps {}

/** The next step: registers a draft, or marks a registered invoice as paid. */
export function MainAction({ reread, ...props }: MainActionProps) {
  const { invoice } = props;
  const isDraft = invoice.status === 'DRAFT';
  if (!useCan(isDraft ? 'issue' : 'payments')) return null;
  if (isDraft) return <RegisterButton invoice={invoice} reread={reread} />;
  return canChange(invoice) ? <PaidToggle {...props} /> : null;
}

/** The notice of what keeps a draft from being registered. */
export const OBSTACLES_ID = 'obstacles';

interface RegisterButtonProps {
  readonly invoice: Invoice;
  readonly reread: () => Promise<{ readonly data: Invoice | undefined }>;
}

/**
 * Leads to the notice while an obstacle stands. Confirms first when the PDF cannot show every character of the document,
 * and when there are hints.
 */
function RegisterButton({ invoice, reread }: RegisterButtonProps) {
  const queue = useQueueInvoices();
  const { ask, dialog } = useQuestion();
  const { hints = [] } = invoice;
  const register = async () => {
    // It may have been mended elsewhere since the screen was read.
    if (invoice.obstacles?.length && (await reread()).data?.obstacles?.length) {
      document.getElementById(OBSTACLES_ID)?.focus();
      return;
    }
    const isSure = unprintableOf(invoice).length === 0 && hints.length === 0;
    if (isSure || (await ask())) queue.mutate({ one: invoice.uuid });
  };
  return (
    <>
      <Button
        variant="primary"
        icon={<SendIcon />}
        pending={queue.isPending}
        onClick={() => void register()}
      >
        Registrer og send faktura
      </Button>
      <SendingQuestion
        plan={{
          count: 1,
          sent: invoice.deliveryType === 'NONE' ? 0 : 1,
          grossAmount: invoice.grossAmount,
        }}
        {...dialog}
      >
        {hints.map(({ message }) => (
          <p key={message}>{message}.</p>
        ))}
        <UnprintableNotice content={invoice} />
      </SendingQuestion>
    </>
  );
}

interface PaidToggleProps {
  readonly invoice: Invoice;
  readonly update: ReturnType<typeof useUpdateInvoice>;
  readonly onPay: (() => void) | undefined;
}

function PaidToggle({ invoice, update, onPay }: PaidToggleProps) {
  const { isPaid, button, dialog } = usePaidButton(invoice, update, onPay);
  return (
    <>
      <Button icon={isPaid ? null : <CheckIcon />} {...button}>
        {isPaid ? 'Ikke betalt' : 'Sett til betalt'}
      </Button>
      <UnpaidDialog {...dialog} />
    </>
  );
}

/** Asks for a date and marks the invoice as paid then. 'Sett til betalt' means today and does not ask. */
function PaidEarlier({ invoice }: { invoice: Invoice }) {
  const [isAsking, setAsking] = useState(false);
  const update = useUpdateInvoices();
  const close = () => setAsking(false);
  const mark = (paidDate: string) =>
    update.mutate(
      { markings: [{ uuids: [invoice.uuid], status: 'PAID', paidDate }] },
      {
        onSuccess: ({ skipped: [refused] }) => {
          close();
          if (refused) {
            showToast({
              tone: 'error',
              title: 'Fakturaen ble ikke satt til betalt',
              description: refused.message,
            });
            return;
          }
          const undoing = undoOf([invoice], false);
          const onUndo = undoing ? () => update.mutate(undoing) : undefined;
          showSuccess('Faktura oppdatert!', { onUndo });
        },
      },
    );
  return (
    <>
      {canBecome(invoice.status, 'PAID') ? (
        <Button variant="quiet" onClick={() => setAsking(true)}>
          Velg betalingsdato
        </Button>
      ) : null}
      <PaidDialog
        open={isAsking}
        invoices={[invoice]}
        pending={update.isPending}
        onClose={close}
        onPaid={mark}
      />
    </>
  );
}

const creditDialog = laterCode(async () => import('../credit/CreditDialog.tsx'));

/** 'Krediter' with its dialog, on a registered or paid invoice. A paid one can be credited with `payments` alone (INV-26). */
function CreditInvoice({ invoice }: { invoice: Invoice }) {
  const payments = useFeature('payments');
  const [isOpen, setOpen] = useState(false);
  const reasonId = useId();
  const { kind, status } = invoice;
  const canCredit = status !== 'DRAFT' && deletableStatus(invoice, { payments }) !== undefined;
  const isOff = kind === 'INVOICE' && status === 'PAID' && !canCredit;
  // Prefetched, so that the dialog's first field exists and gets the focus when it opens.
  useQuery({ ...profileQuery, enabled: canCredit });
  if (!canCredit && !isOff && !isOpen) return null;
  return (
    <>
      <Button
        disabled={!canCredit}
        title={isOff ? PAID_STAYS : undefined}
        aria-describedby={isOff ? reasonId : undefined}
        onClick={() => setOpen(true)}
      >
        Krediter
      </Button>
      <span id={reasonId} hidden>
        {isOff ? PAID_STAYS : null}
      </span>
      {canCredit || isOpen ? (
        <LazyDialog {...{ invoice, canCredit }} open={isOpen} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

const PAID_STAYS = 'En betalt faktura kan ikke krediteres. Sett den til «Ikke betalt» først.';

/** Loads the dialog's code separately, after the screen and only where it may be needed. */
function LazyDialog(props: CreditDialogProps) {
  const need = { isNeeded: props.open, what: 'Dialogen', onFailure: props.onClose };
  const code = useLaterCode(creditDialog, need);
  return code ? <code.CreditDialog {...props} /> : null;
}

/** Whether the device can share files with other apps, as phones can. */
function canShareFiles(): boolean {
  if (!window.matchMedia('(pointer: coarse)').matches) return false;
  const file = new File([''], 'faktura.pdf', { type: 'application/pdf' });
  // Some browsers have neither function, although the DOM types declare both.
  return 'canShare' in navigator && navigator.canShare({ files: [file] });
}

/** Shares the PDF with another app on the phone: a message, a folder, a printer. */
function SharePdf({ invoice }: { invoice: Invoice }) {
  const fetched = useRef<File>(undefined);
  const share = useMutation({
    mutationFn: async () => {
      const file = (fetched.current ??= await fetchFile(
        paths.invoicePdf(invoice.uuid),
        `${nameOf(invoice).replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.pdf`,
      ));
      await handOver(file);
    },
  });
  return (
    <Button icon={<ShareIcon />} pending={share.isPending} onClick={() => share.mutate()}>
      Del PDF
    </Button>
  );
}

async function handOver(file: File): Promise<void> {
  try {
    await navigator.share({ files: [file], title: file.name });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    // The user cancelled.
    if (name === 'AbortError') return;
    // The browser shares only right after a press, and fetching the PDF took too long. The next press has the file.
    const title = name === 'NotAllowedError' ? 'PDF-en er klar' : 'PDF-en kunne ikke deles';
    const description = name === 'NotAllowedError' ? 'Trykk «Del PDF» en gang til.' : undefined;
    showToast({ tone: name === 'NotAllowedError' ? 'success' : 'error', title, description });
  }
}

/**
 * Fetches a file from the server with the session cookie.
 *
 * @throws ApiError when the status is not 2xx
 * @throws ConnectionLost when no response arrives, or only a part of it
 */
async function fetchFile(url: string, name: string): Promise<File> {
  const response = await fetch(url, { credentials: 'include' }).catch(throwLost);
  // The connection may also break while the body arrives.
  const bytes = await response.blob().catch(throwLost);
  const { ok, status, statusText } = response;
  if (!ok) throw new ApiError({ url, status, statusText, body: await bytes.text() });
  return new File([bytes], name, { type: bytes.type });
}

function throwLost(cause: unknown): never {
  throw new ConnectionLost(cause);
}
