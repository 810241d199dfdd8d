import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import { hasStatus } from '../../lib/api-error.ts';
import { firstCustomersQuery } from '../editor/RecipientFinders.tsx';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery } from '../profile/profile.api.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { ObstacleNotice } from './AssignmentActions.tsx';
import { assignmentQuery, useUpdateAssignment } from './recurring.api.ts';
import { AssignmentEditor } from './AssignmentEditor.tsx';

export function AssignmentEditPage() {
  const uuid = useParams()['uuid'] ?? '';
  usePrefetchQuery(firstCustomersQuery);
  const navigate = useNavigate();
  const update = useUpdateAssignment(uuid);
  const assignment = useQuery(assignmentQuery(uuid));
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery);
  if (hasStatus(assignment.error, 404)) return <NotFound />;
  const failed = [assignment, profile, templates].find((query) => query.isError && !query.data);
  return (
    <Page heading="Endre fast oppdrag">
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {assignment.data ? <ObstacleNotice assignment={assignment.data} /> : null}
      {assignment.data && profile.data && templates.data ? (
        <AssignmentEditor
          key={uuid}
          assignment={assignment.data}
          templates={templates.data}
          vatRegistered={profile.data.vatRegistered !== false}
          defaultMessage={profile.data.defaultMessage}
          save={update}
          onSaved={() => void navigate(paths.assignment(uuid))}
        />
      ) : failed ? null : (
        <Loading />
      )}
    </Page>
  );
}
