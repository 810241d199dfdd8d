import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { showDay } from '../../lib/date-text.ts';
import { formatDate } from '../../../domain/date.ts';
import { INVITATION_DAYS, type Member } from '../../../domain/member/member.schema.ts';
import { leave } from '../../forms/unsaved-input.tsx';
import { LabelBadge, type Label } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ConfirmDialog, Modal } from '../../ui/Modal.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { PencilIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { WhileOpen } from '../session/Allowed.tsx';
import { useIsClosed } from '../session/session.api.ts';
import { membersQuery, useRemoveMember } from './member.api.ts';
import { ChangeForm, InviteForm, isLastOwner, LAST_OWNER, ROLE_TEXTS } from './MemberForms.tsx';

const COLUMNS = [
  { heading: 'Medlem' },
  { heading: 'Rolle' },
  { heading: 'Sist logget inn' },
  { heading: '', label: 'Handlinger' },
] as const;

/** Lists the members of the company, and lets an owner invite, change and remove them (WEB-28). */
export function MembersPage() {
  const members = useQuery(membersQuery);
  const [isInviting, setInviting] = useState(false);
  const [opened, setOpened] = useState<string>();
  const changing = members.data?.find(({ uuid }) => uuid === opened);
  const close = () => {
    setInviting(false);
    setOpened(undefined);
  };
  return (
    <Page
      heading="Medlemmer"
      actions={
        <WhileOpen>
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setInviting(true)}>
            Inviter
          </Button>
        </WhileOpen>
      }
    >
      <p className="soft lead">
        De som står her, kan logge inn i bedriften med sin egen e-post. Historikken viser hvem som
        gjorde hva.
      </p>
      <Fetched query={members} pending={<Skeleton height="240px" />}>
        {(list) => (
          <Card flush>
            <Table label="Medlemmer" columns={COLUMNS}>
              {list.map((member) => (
                <MemberRow
                  key={member.uuid}
                  member={member}
                  isLastOwner={isLastOwner(member, list)}
                  onChange={({ uuid }) => setOpened(uuid)}
                />
              ))}
            </Table>
          </Card>
        )}
      </Fetched>
      <Modal
        title="Inviter til bedriften"
        description={`Vi sender en lenke på e-post. Den virker én gang, i ${INVITATION_DAYS} dager, og bare for denne adressen.`}
        open={isInviting}
        onClose={() => leave(close)}
      >
        <InviteForm onClose={close} />
      </Modal>
      <Modal
        title="Endre tilgang"
        description={changing?.email}
        open={changing !== undefined}
        onClose={() => leave(close)}
      >
        {changing ? <ChangeForm member={changing} onClose={close} /> : null}
      </Modal>
    </Page>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly isLastOwner: boolean;
  readonly onChange: (member: Member) => void;
}

function MemberRow({ member, isLastOwner, onChange }: MemberRowProps) {
  const { email, name, role, isYou, lastLoginAt, invitedAt } = member;
  const isClosed = useIsClosed();
  const label = stateLabel(member);
  const isInvitation = member.state === 'INVITED' || member.state === 'EXPIRED';
  const access = accessText(member);
  return (
    <Row onPress={isClosed ? undefined : () => onChange(member)}>
      <Cell label="Medlem" main>
        <span className="row gap-2">
          <span>{name ?? email}</span>
          {isYou ? <span className="aside">deg</span> : null}
          {label ? <LabelBadge label={label} /> : null}
        </span>
        {name === null ? null : <div className="note">{email}</div>}
      </Cell>
      <Cell label="Rolle">
        <div>
          {ROLE_TEXTS[role].label}
          {access ? <div className="note">{access}</div> : null}
        </div>
      </Cell>
      <Cell label={isInvitation ? 'Invitert' : 'Sist logget inn'} numeric>
        {isInvitation
          ? invitedAt && <span className="soft">Invitert {showDay(invitedAt)}</span>
          : lastLoginAt
            ? showDay(lastLoginAt)
            : '–'}
      </Cell>
      <Cell actions>
        <WhileOpen>
          <IconButton
            label={`Endre ${email}`}
            icon={<PencilIcon />}
            onClick={() => onChange(member)}
          />
          <RemoveButton {...{ member, isInvitation, isLastOwner }} />
        </WhileOpen>
      </Cell>
    </Row>
  );
}

/** The state of a member that is not simply a member; null for one that is. */
function stateLabel({ state }: Member): Label | null {
  if (state === 'INVITED') return { text: 'Invitert', tone: 'blue' };
  if (state === 'EXPIRED') return { text: 'Invitasjonen er utløpt', tone: 'amber' };
  return state === 'ENDED' ? { text: 'Avsluttet', tone: 'gray' } : null;
}

/** For example 'Kan sende fakturaer. Til og med 31.12.2026'. */
function accessText({ role, mayRegister, mayHandlePayments, endsOn }: Member): string {
  const own = role === 'EMPLOYEE' || role === 'ACCOUNTANT';
  const parts = [
    own && mayRegister ? 'Kan sende fakturaer' : null,
    role === 'EMPLOYEE' && mayHandlePayments ? 'Kan føre innbetalinger og purre' : null,
    endsOn ? `Til og med ${formatDate(endsOn)}` : null,
  ];
  return parts.filter((part) => part !== null).join('. ');
}

interface RemoveButtonProps extends Pick<MemberRowProps, 'member' | 'isLastOwner'> {
  readonly isInvitation: boolean;
}

function RemoveButton({ member, isInvitation, isLastOwner }: RemoveButtonProps) {
  const { uuid, email, isYou, openLinks } = member;
  const remove = useRemoveMember(
    isInvitation ? 'Invitasjonen er trukket tilbake!' : 'Tilgangen er fjernet!',
  );
  const [isAsking, setAsking] = useState(false);
  const [keepLinks, setKeepLinks] = useState(false);
  const ask = () => {
    setKeepLinks(false);
    setAsking(true);
  };
  const close = () => setAsking(false);
  return (
    <>
      <IconButton label={`Fjern ${email}`} icon={<TrashIcon />} onClick={ask} />
      <ConfirmDialog
        title={isInvitation ? 'Trekke invitasjonen tilbake?' : 'Fjerne tilgangen?'}
        confirmLabel={isInvitation ? 'Trekk tilbake' : 'Fjern'}
        open={isAsking}
        pending={remove.isPending}
        confirmDisabled={isLastOwner}
        choice={
          openLinks.length === 0 ? null : (
            <Checkbox
              label="La lenkene virke videre"
              checked={keepLinks}
              onChange={(event) => setKeepLinks(event.target.checked)}
            />
          )
        }
        onClose={close}
        onConfirm={() => remove.mutate({ uuid, keepLinks }, { onSuccess: close, onError: close })}
      >
        {isInvitation
          ? `Lenken som ble sendt til ${email}, virker ikke lenger.`
          : isLastOwner
            ? LAST_OWNER
            : isYou
              ? 'Du logges ut av bedriften med en gang, og må bli invitert for å komme inn igjen.'
              : `${email} logges ut av bedriften med en gang. Det de har gjort, blir stående.`}
        {openLinks.length === 0
          ? null
          : ` Disse lenkene er delt og slutter å virke: ${openLinks.map(linkText).join('; ')}.`}
      </ConfirmDialog>
    </>
  );
}

/** For example 'eksporten til revisor@tall.no (til 03.12.2026)'. */
function linkText({ kind, name, expiresAt }: Member['openLinks'][number]): string {
  const what = kind === 'EXPORT' ? `eksporten til ${name}` : `oversikten ${name}`;
  return expiresAt === null ? what : `${what} (til ${showDay(expiresAt)})`;
}
