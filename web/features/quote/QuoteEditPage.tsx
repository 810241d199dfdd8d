import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';

import { addDays, todayInOslo } from '../../../domain/date.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { NotFound, Page } from '../../ui/Page.tsx';
import { Alert, LoadFailure, Loading } from '../../ui/Surface.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { emptyLine, vatOf } from '../editor/draft-values.ts';
import { firstCustomersQuery } from '../editor/RecipientFinders.tsx';
import type { ChosenCustomer } from '../editor/recipients.ts';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { Allowed } from '../session/Allowed.tsx';
import { type QuoteDraft, storedQuote } from './quote-values.ts';
import { quoteQuery, useCreateQuote, useUpdateQuote } from './quote.api.ts';
import { QuoteEditor } from './QuoteEditor.tsx';

/** A new quote, which may be a copy, or a change of the draft in the address. */
export function QuoteEditPage() {
  const { uuid } = useParams();
  const [search] = useSearchParams();
  usePrefetchQuery(firstCustomersQuery);
  const copied = search.get('copy');
  const source = uuid ?? copied;
  const quote = useQuery({ ...quoteQuery(source ?? ''), enabled: source !== null });
  const profile = useQuery(profileQuery);
  const isCopy = uuid === undefined;
  const named = (isCopy && quote.data?.customerNumber) || Number(search.get('customer'));
  const customer = useQuery({ ...customerQuery(named), enabled: isCopy && named > 0 });
  // A copied quote, or its customer, may be deleted.
  const isGone = isCopy && hasStatus(quote.error, 404);
  const failed = [quote, profile, customer].find(
    ({ isError, data, error }) => isError && !data && !hasStatus(error, 404),
  );
  // The form is large: a deferred render keeps the browser responsive.
  const isReady = useDeferredValue(
    profile.data !== undefined &&
      (source === null || quote.data !== undefined || isGone) &&
      !customer.isLoading,
  );
  if (uuid !== undefined && hasStatus(quote.error, 404)) return <NotFound />;
  return (
    <Page heading={isCopy ? 'Nytt tilbud' : 'Endre tilbud'}>
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {!failed && !isReady ? <Loading /> : null}
      {isCopy && profile.data?.isProfileCompleted === false ? (
        <IncompleteProfile of="tilbud" />
      ) : null}
      {isGone ? <Alert tone="warning">Tilbudet som skulle kopieres, finnes ikke.</Alert> : null}
      {isReady && profile.data ? (
        isCopy ? (
          <NewQuote
            key={quote.data?.uuid}
            profile={profile.data}
            copied={quote.data}
            customer={customer.data}
          />
        ) : quote.data ? (
          <DraftEditor quote={quote.data} profile={profile.data} />
        ) : null
      ) : null}
    </Page>
  );
}

/** Days that a new quote is valid. */
const VALID_DAYS = 30;

function newQuote(profile: Profile): QuoteDraft {
  return {
    customerNumber: null,
    priceKind: 'FIXED',
    validUntil: addDays(todayInOslo(), VALID_DAYS),
    title: '',
    reference: '',
    message: '',
    terms: profile.defaultQuoteTerms ?? '',
    confirmByCode: false,
    lines: [emptyLine(vatOf(profile))],
  };
}

interface NewQuoteProps {
  readonly profile: Profile;
  readonly copied: Quote | undefined;
  readonly customer: ChosenCustomer | undefined;
}

function NewQuote({ profile, copied, customer }: NewQuoteProps) {
  const navigate = useNavigate();
  const create = useCreateQuote();
  const values = copied ? storedQuote(copied) : newQuote(profile);
  const validUntil = addDays(todayInOslo(), VALID_DAYS);
  return (
    <QuoteEditor
      vat={vatOf(profile)}
      initialValues={{ ...values, validUntil, customerNumber: customer?.customerNumber ?? null }}
      initialCustomer={customer}
      disabled={!profile.isProfileCompleted}
      save={create}
      onSaved={({ uuid }) => void navigate(paths.quote(uuid))}
    />
  );
}

function DraftEditor({ quote, profile }: { quote: Quote; profile: Profile }) {
  const { uuid, state, customerNumber, customerName: name } = quote;
  const navigate = useNavigate();
  const update = useUpdateQuote(uuid);
  const isDraft = state === 'DRAFT';
  return (
    <>
      {isDraft ? null : (
        <Alert tone="warning" live title="Tilbudet er ikke lenger et utkast">
          Det kan ikke endres slik det er nå. <Link to={paths.quote(uuid)}>Vis tilbudet</Link>
        </Alert>
      )}
      <Allowed permission="edit">
        <QuoteEditor
          vat={vatOf(profile)}
          initialValues={storedQuote(quote)}
          initialCustomer={customerNumber === null ? undefined : { customerNumber, name }}
          editing={{ record: quote, valuesOf: storedQuote }}
          disabled={!isDraft}
          save={update}
          onSaved={() => void navigate(paths.quote(uuid))}
        />
      </Allowed>
    </>
  );
}
