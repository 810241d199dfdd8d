import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { isValidOrgNumber } from '../../../domain/org-number.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonAnchor } from '../../ui/Button.tsx';
import { CheckIcon, DownloadIcon, FileIcon, SendIcon } from '../../ui/icons.tsx';
import { useQueueInvoices, useUpdateInvoice } from '../invoice.mutations.ts';

export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const queue = useQueueInvoices();
  const isDraft = invoice.status === 'DRAFT';
  return (
    <>
      {isDraft ? (
        <Button
          variant="primary"
          icon={<SendIcon />}
          pending={queue.isPending}
          onClick={() => queue.mutate(invoice.uuid)}
        >
          Registrer og send faktura
        </Button>
      ) : null}
      <ButtonAnchor href={paths.invoicePdf(invoice.uuid)} icon={<FileIcon />}>
        {isDraft ? 'Forhåndsvis PDF' : 'Vis PDF'}
      </ButtonAnchor>
      {isShownStamped(invoice) ? (
        <ButtonAnchor href={paths.invoiceOriginal(invoice.uuid)} icon={<FileIcon />}>
          Vis original
        </ButtonAnchor>
      ) : null}
      {!isDraft && isValidOrgNumber(invoice.customerIdentifier ?? '') ? (
        <ButtonAnchor href={paths.invoiceEhf(invoice.uuid)} icon={<DownloadIcon />}>
          EHF
        </ButtonAnchor>
      ) : null}
      <Button disabled>Send purring</Button>
      {invoice.kind === 'INVOICE' && invoice.status !== 'CANCELLED' ? (
        <PaidToggle invoice={invoice} />
      ) : null}
    </>
  );
}

/** What was paid or cancelled is shown as a stamped copy, unless its original was mailed. */
function isShownStamped({ status, deliveryStatus }: Invoice): boolean {
  return (status === 'PAID' || status === 'CANCELLED') && deliveryStatus !== 'SENT';
}

function PaidToggle({ invoice }: { invoice: Invoice }) {
  const update = useUpdateInvoice();
  const isPaid = invoice.status === 'PAID';
  return (
    <Button
      icon={isPaid ? null : <CheckIcon />}
      disabled={!isPaid && invoice.status !== 'REGISTERED'}
      pending={update.isPending}
      onClick={() =>
        update.mutate({ invoiceUuid: invoice.uuid, status: isPaid ? 'REGISTERED' : 'PAID' })
      }
    >
      {isPaid ? 'Ikke betalt' : 'Sett til betalt'}
    </Button>
  );
}
