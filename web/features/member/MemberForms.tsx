import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';

import { memberForm, memberUpdate, type Member } from '../../../domain/member/member.schema.ts';
import { ROLES, type Role } from '../../../domain/permission.ts';
import { DialogForm } from '../../forms/DialogForm.tsx';
import { ControlledDate, useWiring } from '../../forms/GuardedForm.tsx';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { membersQuery, useInviteMember, useUpdateMember } from './member.api.ts';

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; hint: string }>> = {
  OWNER: {
    label: 'Eier',
    hint: 'Kan alt, også endre profilen og bestemme hvem som har tilgang.',
  },
  EMPLOYEE: {
    label: 'Medarbeider',
    hint: 'Ser alt, og lager utkast, kunder og maler. Du bestemmer resten under.',
  },
  ACCOUNTANT: {
    label: 'Regnskapsfører',
    hint: 'Som en medarbeider. Fører innbetalinger, purrer og eksporterer til regnskapet.',
  },
  AUDITOR: { label: 'Revisor', hint: 'Ser alt og eksporterer, men endrer ingenting.' },
};

/** The reason why the last owner cannot leave or be lowered (MEM-5). */
export const LAST_OWNER =
  'Bedriften må ha minst én eier uten siste dag. Inviter en eier til først.';

export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  const owners = members.filter(
    ({ role, state, endsOn }) => role === 'OWNER' && state === 'ACTIVE' && endsOn === null,
  );
  return owners.length === 1 && owners[0]?.uuid === member.uuid;
}

const CHOICES = ROLES.map((value) => {
  const { label, hint } = ROLE_TEXTS[value];
  return { value, label, hint };
});

type Access = Pick<Member, 'name' | 'role' | 'mayRegister' | 'mayHandlePayments' | 'endsOn'>;

/** The form in a dialog that invites somebody. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const invite = useInviteMember();
  const { data: members = [] } = useQuery(membersQuery);
  const form = useSchemaForm(memberForm, {
    email: '',
    name: null as string | null,
    role: 'EMPLOYEE',
    mayRegister: false,
    mayHandlePayments: false,
    endsOn: null as string | null,
  });
  return (
    <DialogForm
      form={form}
      name="invitation"
      className="stack"
      confirm={async () => {
        const email = form.getValues('email').trim().toLowerCase();
        const isKnown = members.some(
          (one) => one.email === email && (one.state === 'ACTIVE' || one.state === 'ENDED'),
        );
        if (isKnown) form.setError('email', { message: 'Denne adressen er medlem allerede.' });
        return !isKnown;
      }}
      save={invite}
      submitLabel="Send invitasjon"
      onClose={onClose}
      label="Invitasjon"
    >
      <TextField label="E-post" type="email" required {...fieldProps(form, 'email')} />
      <AccessFields form={form as unknown as UseFormReturn<Access>} />
    </DialogForm>
  );
}

/** The form in a dialog that changes what a member may do. */
export function ChangeForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const { data: members = [] } = useQuery(membersQuery);
  const isFixed = isLastOwner(member, members);
  const update = useUpdateMember(member.uuid);
  const { name, role, mayRegister, mayHandlePayments, endsOn } = member;
  const form = useSchemaForm(memberUpdate, { name, role, mayRegister, mayHandlePayments, endsOn });
  return (
    <DialogForm
      form={form}
      name={`access of ${member.uuid}`}
      className="stack"
      save={update}
      submitLabel="Lagre"
      onClose={onClose}
      label="Tilgang"
    >
      {isFixed ? <p className="note">{LAST_OWNER}</p> : null}
      <AccessFields form={form} isFixed={isFixed} />
    </DialogForm>
  );
}

interface AccessFieldsProps {
  readonly form: UseFormReturn<Access>;
  readonly isFixed?: boolean;
}

function AccessFields({ form, isFixed = false }: AccessFieldsProps) {
  const wiring = useWiring({ control: form.control, name: 'role' });
  const role = wiring.value;
  return (
    <>
      <TextField label="Navn" {...fieldProps(form, 'name')} />
      <fieldset disabled={isFixed} className="stack">
        <ChoiceField label="Rolle" choices={CHOICES} {...wiring} />
        {role === 'EMPLOYEE' || role === 'ACCOUNTANT' ? (
          <div className="stack gap-2">
            <Checkbox
              label="Kan sende fakturaer"
              hint="Registrere, sende og kreditere dem."
              {...fieldProps(form, 'mayRegister')}
            />
            {role === 'EMPLOYEE' ? (
              <Checkbox
                label="Kan føre innbetalinger og purre"
                hint="Sette fakturaer til betalt, lese filer fra banken og sende purringer."
                {...fieldProps(form, 'mayHandlePayments')}
              />
            ) : null}
          </div>
        ) : null}
        <ControlledDate
          control={form.control}
          name="endsOn"
          label="Siste dag"
          hint="Tilgangen slutter av seg selv etter denne dagen."
        />
      </fieldset>
    </>
  );
}
