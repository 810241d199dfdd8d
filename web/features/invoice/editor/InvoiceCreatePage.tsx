import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { todayInOslo } from '../../../../domain/date.ts';
import { kronerToOre } from '../../../../domain/money.ts';
import { DEFAULT_DUE_DAYS } from '../../../../domain/terms.ts';
import type { QueueResult } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import type { CreatedDrafts, Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import type { Profile } from '../../../../domain/profile/profile.schema.ts';
import { BULK_MAX } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import { queueInvoices } from '../../../../domain/invoice/invoice.endpoints.ts';
import { hasStatus, isUnanswered } from '../../../lib/api-error.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import { customerGroupQuery } from '../../customer-group/customer-group.api.ts';
import { firstCustomersQuery } from '../../editor/RecipientFinders.tsx';
import { customerForm } from '../../editor/RecipientPicker.tsx';
import {
  copiedDraft,
  emptyLine,
  type InvoiceDraft,
  linesOf,
  vatOf,
} from '../../editor/draft-values.ts';
import { invoiceQuery, sentAsEhf, useCreateInvoices } from '../invoice.api.ts';
import { NOBODY, onlyCustomer, type Recipients, withGroup } from '../../editor/recipients.ts';
import { invoiceTemplatesQuery } from '../../invoice-template/invoice-template.api.ts';
import { useFeature } from '../../session/session.api.ts';
import { paths } from '../../../lib/paths.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { Alert, LoadFailure, Loading } from '../../../ui/Surface.tsx';
import { IncompleteProfile } from '../../profile/IncompleteProfile.tsx';
import { Page } from '../../../ui/Page.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { InvoiceEditor, type ShownDrafts } from './InvoiceEditor.tsx';
import { laterParts } from './later-parts.ts';
import { DEFAULT_DELIVERY_TYPE } from './useProposals.ts';
import { call } from '../../../lib/client.ts';
import { showCount } from '../../../lib/number-text.ts';
import { showSuccess, showToast } from '../../../lib/toasts.ts';

export function InvoiceCreatePage() {
  const [search] = useSearchParams();
  const profile = useQuery(profileQuery);
  const templateId = search.get('template');
  // Fetches the template again: the cached list may be older than the last change to it.
  const templates = useQuery({
    ...invoiceTemplatesQuery,
    ...(templateId === null ? {} : { staleTime: 0 }),
  });
  const areTemplatesFresh = templateId === null || templates.isFetchedAfterMount;
  const copied = useCopied(search.get('copy'), Number(search.get('customer')));
  const groupUuid = search.get('group') ?? '';
  const group = useQuery({ ...customerGroupQuery(groupUuid), enabled: groupUuid !== '' });
  // A copied invoice, its customer or the group may be deleted.
  const failed = [profile, templates, ...copied.queries, group].find(
    ({ isError, data, error }) => isError && !data && !hasStatus(error, 404),
  );
  const isFirstStepReady = useFirstStep();
  const template = templates.data?.find(({ id }) => id === Number(templateId));
  // The form is large: a deferred render keeps the browser responsive.
  const isReady = useDeferredValue(
    !failed &&
      profile.data !== undefined &&
      templates.data !== undefined &&
      areTemplatesFresh &&
      !copied.isPending &&
      !group.isLoading &&
      isFirstStepReady,
  );
  return (
    <Page heading="Ny faktura">
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {!failed && !isReady ? <Loading /> : null}
      {profile.data?.isProfileCompleted === false ? <IncompleteProfile /> : null}
      {copied.isGone ? (
        <Alert tone="warning">Fakturaen som skulle kopieres, finnes ikke.</Alert>
      ) : null}
      {isReady && profile.data && templates.data ? (
        <NewInvoice
          key={copied.invoice?.uuid}
          profile={profile.data}
          templates={templates.data}
          template={template}
          copied={copied.invoice}
          initialRecipients={
            group.data ? withGroup(copied.recipients, group.data) : copied.recipients
          }
        />
      ) : null}
    </Page>
  );
}

/**
 * Whether it is known where the screen begins: with a company's first customer, or with the search for one. What came
 * later would push the rest down (WEB-27).
 */
function useFirstStep(): boolean {
  const { data, isFetched, failureCount } = useQuery(firstCustomersQuery);
  const isNeeded = data?.length === 0;
  const [isGivenUp, setGivenUp] = useState(false);
  const onFailure = () => setGivenUp(true);
  const code = useLaterCode(customerForm, { isNeeded, what: 'Skjemaet', onFailure });
  // The finder asks again after a failure, and must not go away for that.
  return isNeeded ? code !== undefined || isGivenUp : isFetched || failureCount > 0;
}

/**
 * The invoice to copy, and its customer if that still exists.
 *
 * @param named the customer of the address; 0 without one
 */
function useCopied(uuid: string | null, named: number) {
  const invoice = useQuery({ ...invoiceQuery(uuid ?? ''), enabled: uuid !== null });
  const customerNumber = invoice.data?.currentCustomerNumber ?? named;
  const customer = useQuery({ ...customerQuery(customerNumber), enabled: customerNumber > 0 });
  return {
    queries: [invoice, customer],
    invoice: invoice.data,
    recipients: customer.data ? onlyCustomer(customer.data) : NOBODY,
    isGone: uuid !== null && hasStatus(invoice.error, 404),
    isPending: invoice.isLoading || customer.isLoading,
  };
}

interface NewInvoiceProps {
  readonly profile: Profile;
  readonly templates: readonly InvoiceTemplate[];
  readonly template: InvoiceTemplate | undefined;
  readonly copied: Invoice | undefined;
  readonly initialRecipients: Recipients;
}

function NewInvoice({ profile, templates, template, copied, initialRecipients }: NewInvoiceProps) {
  const navigate = useNavigate();
  const create = useCreateInvoices();
  const register = useRegisterNew();
  const hasAttachments = useFeature('attachments');
  const [files, setFiles] = useState<readonly File[]>([]);
  const attach = useMutation({
    mutationFn: async (drafts: CreatedDrafts) => attachTo(drafts, files),
  });
  const areWhole = useRef(true);
  const initialValues = copied ? copiedDraft(copied) : newDraft(profile, template);
  return (
    <InvoiceEditor
      templates={templates}
      vat={vatOf(profile)}
      initialValues={{
        ...initialValues,
        customerNumbers: initialRecipients.customers.map(({ customerNumber }) => customerNumber),
        groupUuid: initialRecipients.group?.uuid ?? null,
      }}
      initialRecipients={initialRecipients}
      areTermsChosen={copied !== undefined}
      incomplete={!profile.isProfileCompleted}
      files={hasAttachments ? { files, onChange: setFiles } : undefined}
      save={{
        isPending: create.isPending || attach.isPending,
        mutateAsync: async (saved) => {
          const drafts = await create.mutateAsync(saved);
          areWhole.current = await attach.mutateAsync(drafts);
          return drafts;
        },
      }}
      send={{
        isPending: register.isPending,
        run: async (drafts, shown) => {
          // The drafts are saved whatever happens, and a toast says what did.
          if (areWhole.current && areAsShown(drafts, shown))
            await register.mutateAsync(drafts).catch(() => undefined);
        },
      }}
      onSaved={() => void navigate(paths.invoices)}
    />
  );
}

/** Sends the files to the drafts. They stay drafts when one of them lacks a file, and a toast on the next screen says so. */
async function attachTo(drafts: CreatedDrafts, files: readonly File[]): Promise<boolean> {
  // The code is there, since the files were chosen by it.
  const faults = files.length > 0 ? await laterParts.loaded?.attachAll(drafts, files) : null;
  if (!faults?.length) return true;
  warnAfterwards('Noen filer ble ikke lagt ved', `${faults.join(' ')} Alt er lagret som utkast.`);
  return false;
}

function newDraft(profile: Profile, template: InvoiceTemplate | undefined): InvoiceDraft {
  return {
    customerNumbers: [],
    groupUuid: null,
    templateId: template?.id ?? null,
    deliveryType: template?.deliveryType ?? DEFAULT_DELIVERY_TYPE,
    issueDate: todayInOslo(),
    dueDays: template?.dueDays ?? DEFAULT_DUE_DAYS,
    invoiceLines: template ? linesOf(template.lines) : [emptyLine(vatOf(profile))],
    deliveryDate: '',
    reference: '',
    message: profile.defaultMessage ?? '',
  };
}

/** Whether the drafts are what the form showed: its template or group may have changed meanwhile, which a toast says. */
function areAsShown(drafts: CreatedDrafts, { count, gross }: ShownDrafts): boolean {
  const isMore = count !== null && drafts.length > count;
  if (!isMore && drafts.every((draft) => kronerToOre(draft.grossAmount) === gross)) return true;
  warnAfterwards(
    NOT_REGISTERED,
    `${isMore ? 'Gruppen' : 'Malen'} er endret mens du skrev. Alt er lagret som utkast: se over før du sender.`,
  );
  return false;
}

/** Says on the next screen what is left of a save. */
function warnAfterwards(title: string, description: string): void {
  showToast({ tone: 'error', title, description, follows: true });
}

const NOT_REGISTERED = 'Ikke registrert og sendt';
const REASONS_MAX = 3;

/**
 * Registers drafts that were just made, in the order of their making. Those that are skipped, or not reached because
 * of an error, remain drafts, and a toast on the next screen says why.
 */
function useRegisterNew() {
  return useMutation({
    mutationFn: async (drafts: CreatedDrafts) => {
      const results: QueueResult[] = [];
      for (let first = 0; first < drafts.length; first += BULK_MAX) {
        const uuids = drafts.slice(first, first + BULK_MAX).map(({ uuid }) => uuid);
        results.push(await call(queueInvoices, { query: {}, body: { uuids } }));
      }
      return {
        skipped: results.flatMap(({ skipped }) => skipped),
        changed: results.flatMap(({ changed = [] }) => changed),
      };
    },
    meta: { changes: 'invoices', hasOwnToast: true },
    onSuccess: ({ skipped, changed }, drafts) => {
      if (skipped.length < drafts.length) {
        const description = sentAsEhf(changed.length);
        showSuccess('Fakturaer lagt til utsending', { follows: true, description });
      }
      if (skipped.length === 0) return;
      const reasons = skipped
        .slice(0, REASONS_MAX)
        .map(({ customerName, message }) => `${customerName}: ${message}`);
      warnAfterwards(
        `${showCount(skipped.length)} utkast står igjen`,
        [...reasons, ...(skipped.length > REASONS_MAX ? ['…'] : [])].join(', '),
      );
    },
    onError: (error, { length }) => {
      if (isUnanswered(error)) {
        warnAfterwards(
          'Usikkert om alt er sendt',
          'Svaret kom ikke fram. Se i listen før du prøver igjen.',
        );
        return;
      }
      // One request registers so many; those of earlier requests are registered.
      const areSome = length > BULK_MAX;
      warnAfterwards(
        areSome ? 'Ikke alle er registrert og sendt' : NOT_REGISTERED,
        `${areSome ? 'Resten' : 'Alt du skrev,'} er lagret som utkast. Prøv igjen fra listen.`,
      );
    },
  });
}
