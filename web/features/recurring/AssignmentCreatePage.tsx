import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { firstCustomersQuery } from '../editor/RecipientFinders.tsx';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery } from '../profile/profile.api.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { IncompleteProfile } from '../../ui/IncompleteProfile.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { useCreateAssignment } from './recurring.api.ts';
import { AssignmentEditor } from './AssignmentEditor.tsx';

export function AssignmentCreatePage() {
  usePrefetchQuery(firstCustomersQuery);
  const navigate = useNavigate();
  const create = useCreateAssignment();
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery);
  const failed = [profile, templates].find((query) => query.isError && !query.data);
  return (
    <Page heading="Nytt fast oppdrag">
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {profile.data?.isProfileCompleted === false ? <IncompleteProfile /> : null}
      {profile.data && templates.data ? (
        <AssignmentEditor
          templates={templates.data}
          vatRegistered={profile.data.vatRegistered !== false}
          defaultMessage={profile.data.defaultMessage}
          save={create}
          onSaved={({ uuid }) => void navigate(paths.assignment(uuid))}
        />
      ) : failed ? null : (
        <Loading />
      )}
    </Page>
  );
}
