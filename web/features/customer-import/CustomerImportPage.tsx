import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';

import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { useLeaveGuard } from '../../forms/unsaved-input.tsx';
import { countOf } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Checkbox, SelectField, TextField, type Option } from '../../ui/Field.tsx';
import { ImportDraft, type ImportDraftProps } from '../import/ImportDraft.tsx';
import { ImportPage } from '../import/ImportPage.tsx';
import type { Checked } from '../import/import.api.ts';
import { useFeatures } from '../session/session.api.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { countUnrecognisable, isCut, padPostalCodes, type CustomerRow } from './customer-rows.ts';
import { customerKind } from './customer-kind.tsx';
import { NAME_LENGTH } from '../../../domain/text.ts';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';

export function CustomerImportPage() {
  const features = useFeatures();
  const kind = useMemo(() => customerKind(features), [features]);
  return (
    <ImportPage
      kind={kind}
      Draft={CustomerDraft}
      doneText={({ groupUuid }) => (groupUuid === null ? '' : ' Alle er i gruppen.')}
      DoneLinks={GroupLinks}
    />
  );
}

function GroupLinks({ result: { groupUuid } }: { result: CustomerImportResult }) {
  const incomplete = useIsProfileIncomplete();
  if (groupUuid === null) return null;
  return (
    <>
      <ButtonLink to={paths.invoiceCreateTo(groupUuid)} disabled={incomplete}>
        Fakturer gruppen
      </ButtonLink>
      <ButtonLink to={paths.groupEdit(groupUuid)}>Åpne gruppen</ButtonLink>
    </>
  );
}

function CustomerDraft(props: ImportDraftProps<CustomerRow, CustomerImportResult>) {
  const [group, setGroup] = useState(NO_GROUP);
  const [isPadded, setPadded] = useState(true);
  useLeaveGuard({
    isUnsaved: () => Boolean(group.groupName?.trim()),
    discard: () => setGroup(NO_GROUP),
  });
  return (
    <ImportDraft
      mend={isPadded ? padPostalCodes : undefined}
      Notice={Unrecognisable}
      more={group}
      isUnfinished={group.groupName?.trim() === ''}
      {...props}
    >
      {(written) => (
        <>
          {/* Postal codes that lack the leading zero. */}
          {written.some(isCut) ? (
            <Checkbox
              label={`Sett 0 foran ${countOf(written.filter(isCut).length, 'postnummer', 'postnumre')} på tre siffer`}
              hint="Regneark tar bort nullen først i 0150."
              checked={isPadded}
              onChange={(event) => setPadded(event.target.checked)}
            />
          ) : null}
          <GroupChoice wish={group} onWish={setGroup} />
        </>
      )}
    </ImportDraft>
  );
}

/** Counts the new customers that a second import of the list would duplicate. */
function Unrecognisable({ rows, found }: Checked<CustomerRow, CustomerImportResult>) {
  const count = countUnrecognisable(rows, new Set(found.known.map(({ row }) => row)));
  if (count === 0) return null;
  return (
    <Alert>
      {countOf(count, 'ny kunde', 'nye kunder')} har verken kundenummer, organisasjonsnummer eller
      en e-postadresse som bare står på én rad. Importeres listen på nytt, blir{' '}
      {count === 1 ? 'den' : 'de'} lagt til en gang til.
    </Alert>
  );
}

/** The group for the imported customers: none, an existing one, or a new one with a name. */
interface GroupWish {
  readonly groupUuid: string | null;
  readonly groupName: string | null;
}

const NO_GROUP: GroupWish = { groupUuid: null, groupName: null };
const NEW = 'new';

function GroupChoice({ wish, onWish }: { wish: GroupWish; onWish: (wish: GroupWish) => void }) {
  const { groupUuid, groupName } = wish;
  const groups = useQuery(customerGroupsQuery);
  const choose = (value: string) => {
    if (value === NEW) onWish({ ...NO_GROUP, groupName: '' });
    else onWish({ ...NO_GROUP, groupUuid: value || null });
  };
  return (
    <div className="grid gap-4">
      <SelectField
        label="Legg alle i en kundegruppe"
        value={groupUuid ?? (groupName === null ? '' : NEW)}
        onChange={(event) => choose(event.target.value)}
        options={[
          ['', 'Ingen gruppe'],
          [NEW, 'Ny gruppe …'],
          ...(groups.data ?? []).map((group): Option => [group.uuid, group.groupName]),
        ]}
      />
      {groupName === null ? null : (
        <TextField
          label="Navn på gruppen"
          required
          maxLength={NAME_LENGTH}
          value={groupName}
          onChange={(event) => onWish({ ...NO_GROUP, groupName: event.target.value })}
        />
      )}
    </div>
  );
}
