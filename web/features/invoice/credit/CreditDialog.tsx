import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';

import type { CreditBody, CreditTrial } from '../../../../domain/invoice/credit.schema.ts';
import { getInvoice } from '../../../../domain/invoice/invoice.endpoints.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { useSchemaForm, fieldProps } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { leave } from '../../../forms/unsaved-input.tsx';
import { hasStatus } from '../../../lib/api-error.ts';
import { showKroner } from '../../../lib/kroner.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ChoiceField } from '../../../ui/ChoiceField.tsx';
import { TextArea } from '../../../ui/Field.tsx';
import { Fetched } from '../../../ui/Fetched.tsx';
import { Modal, ModalButtons } from '../../../ui/Modal.tsx';
import { Skeleton } from '../../../ui/Surface.tsx';
import { usePreview, type Preview } from '../../../ui/usePreview.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { creditPlanQuery, useCreditInvoice } from './credit.api.ts';
import {
  creditFormOf,
  leftOf,
  treatmentsLeft,
  type CreditDraft,
  type CreditForm,
  type CreditWay,
} from './credit-form.ts';
import { CreditLines } from './CreditLines.tsx';
import { CreditReductions, type ReductionVat } from './CreditReductions.tsx';
import { CreditSums } from './CreditSums.tsx';

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
      description={`Det lages en kreditnota til ${invoice.customerName} med neste nummer i serien. Fakturaen selv endres ikke.`}
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
  const vat: ReductionVat = treatmentsLeft(invoice.lines, vatRegistered);
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
        <Choices {...{ form, invoice, vat }} isSending={credit.isPending} />
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

function newReduction([first]: ReductionVat): CreditDraft['reductions'][number] {
  return { description: 'Prisavslag', netAmount: null, vatTreatment: first?.value ?? 'STANDARD' };
}

interface ChoicesProps {
  readonly form: CreditForm;
  readonly invoice: Invoice;
  readonly vat: ReductionVat;
  readonly isSending: boolean;
}

function Choices({ form, invoice, vat, isSending }: ChoicesProps) {
  const way = useWatch({ control: form.control, name: 'way' });
  const isPart = (invoice.creditedAmount ?? 0) > 0;
  const ways: { value: CreditWay; label: string; hint?: string }[] = [
    {
      value: 'ALL',
      label: isPart ? 'Resten' : 'Hele fakturaen',
      hint: showKroner(leftOf(invoice)),
    },
    { value: 'LINES', label: 'Noen av linjene', hint: 'Et antall eller et beløp av hver' },
    ...(vat.length > 0
      ? [
          {
            value: 'REDUCTIONS' as const,
            label: 'Prisavslag',
            hint: 'Et beløp som kunden slipper å betale',
          },
        ]
      : []),
  ];
  return (
    <div className="stack">
      <ChoiceField
        label="Hva vil du kreditere?"
        choices={ways}
        value={way}
        onChange={(chosen) => {
          form.clearErrors();
          form.setValue('way', chosen);
        }}
      />
      {way === 'LINES' ? (
        <CreditLines control={form.control} lines={invoice.lines} isSending={isSending} />
      ) : null}
      {way === 'REDUCTIONS' ? (
        <CreditReductions form={form} vat={vat} newRow={() => newReduction(vat)} />
      ) : null}
      <TextArea
        rows={2}
        label="Årsak"
        hint="Står på kreditnotaen."
        {...fieldProps(form, 'reason')}
      />
    </div>
  );
}
