import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import { hasStatus } from '../../lib/api-error.ts';
import { firstCustomersQuery } from '../editor/RecipientFinders.tsx';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery } from '../profile/profile.api.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { vatOf } from '../editor/draft-values.ts';
import { Page } from '../../ui/Page.tsx';
import { Allowed } from '../session/Allowed.tsx';
import { ObstacleNotice } from './AssignmentActions.tsx';
import { assignmentQuery, useCreateAssignment, useUpdateAssignment } from './recurring.api.ts';
import { AssignmentEditor } from './AssignmentEditor.tsx';

/** A new assignment, or a change of the one in the address. */
export function AssignmentEditPage() {
  const { uuid } = useParams();
  usePrefetchQuery(firstCustomersQuery);
  const navigate = useNavigate();
  const create = useCreateAssignment();
  const update = useUpdateAssignment(uuid ?? '');
  const assignment = useQuery({ ...assignmentQuery(uuid ?? ''), enabled: uuid !== undefined });
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery);
  if (hasStatus(assignment.error, 404)) return <NotFound />;
  const incomplete = uuid === undefined && profile.data?.isProfileCompleted === false;
  const failed = [assignment, profile, templates].find((query) => query.isError && !query.data);
  const isReady = uuid === undefined || assignment.data !== undefined;
  return (
    <Page heading={uuid === undefined ? 'Nytt fast oppdrag' : 'Endre fast oppdrag'}>
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {assignment.data ? <ObstacleNotice assignment={assignment.data} /> : null}
      {incomplete ? <IncompleteProfile of="faste oppdrag" /> : null}
      {isReady && profile.data && templates.data ? (
        <Allowed permission={assignment.data?.mode === 'SEND' ? 'issue' : 'edit'}>
          <AssignmentEditor
            key={uuid}
            assignment={assignment.data}
            incomplete={incomplete}
            templates={templates.data}
            vat={vatOf(profile.data)}
            defaultMessage={profile.data.defaultMessage}
            save={uuid === undefined ? create : update}
            onSaved={(saved) => void navigate(paths.assignment(saved.uuid))}
          />
        </Allowed>
      ) : failed ? null : (
        <Loading />
      )}
    </Page>
  );
}
