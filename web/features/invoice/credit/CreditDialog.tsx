import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';

import type { CreditBody, CreditTrial } from '../../../../domain/invoice/credit.schema.ts';
import { getInvoice } from '../../../../domain/invoice/invoice.endpoints.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { useSchemaForm } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { leave } from '../../../forms/unsaved-input.tsx';
import { hasStatus, reasonsOf } from '../../../lib/api-error.ts';
import { showKroner } from '../../../lib/number-text.ts';
import { Alert, Fetched, LoadFailure, Skeleton } from '../../../ui/Surface.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Modal, ModalButtons } from '../../../ui/Modal.tsx';
import { SumList } from '../../../ui/SumList.tsx';
import { usePreview, type Preview } from '../../../ui/usePreview.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { addressesOf } from '../invoice-labels.ts';
import { creditPlanQuery, useCreditInvoice } from './credit.api.ts';
import {
  consequenceOf,
  creditFormOf,
  treatmentsLeft,
  type CreditDraft,
  type CreditForm,
} from './credit-form.ts';
import { CreditFields, newReduction } from './CreditFields.tsx';
import styles from './CreditDialog.module.css';

export interface CreditDialogProps {
  readonly invoice: Invoice;
  /** Whether something is left that may be credited; false once somebody else has credited it. */
  readonly canCredit: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CreditDialog({ invoice, canCredit, open, ...props }: CreditDialogProps) {
  const credit = useCreditInvoice(invoice.uuid);
  const profile = useQuery({ ...profileQuery, enabled: open });
  const onClose = () => {
    // The dialog opens again without the old refusal.
    credit.reset();
    props.onClose();
  };
  return (
    <Modal
      wide
      title={`Krediter faktura ${invoice.invoiceNumber}`}
      description={`Det lages en kreditnota til ${invoice.customerName} med neste nummer i serien. ${sendingOf(invoice)}Fakturaen selv endres ikke.`}
      open={open}
      pending={credit.isPending}
      onClose={() => leave(onClose)}
    >
      {open ? (
        canCredit || credit.isPending ? (
          <Fetched query={profile} pending={<Skeleton height="380px" />}>
            {({ vatRegistered }) => (
              <Wish {...{ invoice, credit, onClose }} vatRegistered={vatRegistered !== false} />
            )}
          </Fetched>
        ) : (
          <NothingLeft onClose={onClose} />
        )
      ) : null}
    </Modal>
  );
}

/** A sentence about where the credit note goes (DEL-5, DEL-7); '' where that depends on what is credited. */
function sendingOf({ deliveries, deliveryType }: Invoice): string {
  const arrived = deliveries.findLast(({ status }) => status === 'SENT');
  if (arrived) return `Den sendes til ${addressesOf(arrived, 'SENT')}. `;
  if (deliveries.some(({ status }) => status === 'QUEUED')) {
    return 'Den sendes når fakturaen er kommet fram. ';
  }
  return deliveries.length === 0 && deliveryType === 'NONE' ? 'Den sendes ikke av seg selv. ' : '';
}

function NothingLeft({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Alert tone="warning" live title="Fakturaen er endret i mellomtiden">
        Den kan ikke krediteres slik den er nå.
      </Alert>
      <ModalButtons>
        <Button onClick={onClose}>Lukk</Button>
      </ModalButtons>
    </>
  );
}

interface WishProps {
  readonly invoice: Invoice;
  readonly credit: ReturnType<typeof useCreditInvoice>;
  readonly vatRegistered: boolean;
  readonly onClose: () => void;
}

function Wish({ invoice, credit, vatRegistered, onClose }: WishProps) {
  const vat = treatmentsLeft(invoice.lines, vatRegistered);
  const schema = creditFormOf(invoice.lines);
  const form: CreditForm = useSchemaForm<CreditDraft, CreditBody>(schema, {
    way: 'ALL',
    lines: invoice.lines.map(() => ({ quantity: null, netAmount: null })),
    reductions: [newReduction(vat)],
    reason: '',
  });
  const plan = useCreditPlan(
    invoice.uuid,
    schema.safeParse(useWatch({ control: form.control })).data,
  );
  const sum = plan.isSettled && plan.shown ? ` ${showKroner(plan.shown.credited.gross)}` : '';
  return (
    <GuardedForm
      form={form}
      name={`credit of ${invoice.uuid}`}
      save={credit}
      onSaved={onClose}
      label="Hva som krediteres"
    >
      <div className="beside">
        <CreditFields {...{ form, invoice, vat }} isSending={credit.isPending} />
        <CreditSums {...{ invoice, plan }} refused={credit.error} />
      </div>
      <ModalButtons>
        <Button disabled={credit.isPending} onClick={() => leave(onClose)}>
          Avbryt
        </Button>
        <Button
          type="submit"
          variant="danger"
          // Nothing is credited that was not shown first.
          disabled={plan.isAsking}
          pending={credit.isPending}
        >
          {`Krediter${sum}`}
        </Button>
      </ModalButtons>
    </GuardedForm>
  );
}

const NOTHING: CreditBody = { lines: null, reductions: null, reason: null };

/** The preview of a crediting. @param body what the form says; undefined while it is not valid */
function useCreditPlan(invoiceUuid: string, body: CreditBody | undefined): Preview<CreditTrial> {
  const queryClient = useQueryClient();
  const plan = usePreview(
    // The reason changes no sum.
    body && { ...body, reason: null },
    NOTHING,
    (wish) => creditPlanQuery(invoiceUuid, wish),
    (answer): answer is CreditTrial => 'credited' in answer,
  );
  // Somebody else has credited it: what is left is read again. The preview itself is not, it would be refused again.
  const isRefused = hasStatus(plan.error, 409);
  useEffect(() => {
    if (isRefused) {
      void queryClient.invalidateQueries({ queryKey: ['invoices', getInvoice.path] });
    }
  }, [isRefused, queryClient]);
  return plan;
}

interface CreditSumsProps {
  readonly invoice: Invoice;
  readonly plan: Preview<CreditTrial>;
  /** The error of the last try to credit. */
  readonly refused: Error | null;
}

/** The sums to credit, the rest of the invoice, and the customer's debt or credit after it. */
function CreditSums({ invoice, plan, refused }: CreditSumsProps) {
  const { shown: preview, isSettled, isAsking, refusal, retry } = plan;
  return (
    <div className={`box stack gap-4 ${styles.sums}`} aria-live="polite" aria-busy={isAsking}>
      {/* Mostly somebody else has credited some of it meanwhile. */}
      {hasStatus(refused, 409) ? (
        <Alert tone="warning" title="Ingenting ble kreditert">
          {reasonsOf(refused)}. Fakturaen er endret i mellomtiden, så se hva som er igjen.
        </Alert>
      ) : null}
      {refusal === undefined ? null : (
        <Alert tone="warning" title="Det kan ikke krediteres slik">
          {refusal}
        </Alert>
      )}
      {retry ? <LoadFailure onRetry={retry} /> : null}
      {preview ? (
        <div className="stack gap-4 preview" data-old={!isSettled || undefined}>
          <SumList
            sums={[
              { label: 'Uten mva.', amount: formatKroner(preview.credited.net) },
              { label: 'Mva.', amount: formatKroner(preview.credited.vat) },
              { label: 'Krediteres', amount: showKroner(preview.credited.gross), isTotal: true },
              { label: 'Igjen på fakturaen', amount: showKroner(preview.left.gross) },
            ]}
          />
          <p>{consequenceText(invoice, preview.left.gross)}</p>
        </div>
      ) : isAsking ? (
        <Skeleton height="180px" />
      ) : refusal === undefined && !retry ? (
        <p className="soft">Summen står her når det er fylt ut hva som krediteres.</p>
      ) : null}
    </div>
  );
}

function consequenceText(invoice: Invoice, left: number): string {
  const { customerName, currentCustomerNumber, paidAmount } = invoice;
  const { kind, amount } = consequenceOf(paidAmount, left);
  const kroner = showKroner(amount);
  if (kind === 'pays') return `${customerName} skal da betale ${kroner}.`;
  if (kind === 'settled') return 'Da er fakturaen betalt.';
  if (kind === 'nothing') return `${customerName} skal ikke betale noe.`;
  return currentCustomerNumber === null
    ? `${kroner} er betalt for mye, og blir stående under Innbetalinger.`
    : `${kroner} blir stående til gode hos ${customerName}.`;
}
