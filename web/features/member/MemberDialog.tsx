import type { UseFormReturn } from 'react-hook-form';

import {
  INVITATION_DAYS,
  memberForm,
  memberUpdate,
  type Member,
} from '../../../domain/member/member.schema.ts';
import { ROLES, type Role } from '../../../domain/permission.ts';
import { ControlledDate, useWiring } from '../../forms/Controlled.tsx';
import { fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { useInviteMember, useUpdateMember } from './member.api.ts';

interface RoleText {
  readonly label: string;
  readonly hint: string;
}

export const ROLE_TEXTS: Readonly<Record<Role, RoleText>> = {
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

const CHOICES = ROLES.map((value) => {
  const { label, hint } = ROLE_TEXTS[value];
  return { value, label, hint };
});

interface Access {
  role: Role;
  mayRegister: boolean;
  mayHandlePayments: boolean;
  endsOn: string | null;
}

interface InviteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function InviteDialog({ open, onClose }: InviteDialogProps) {
  return (
    <Modal
      title="Inviter til bedriften"
      description={`Vi sender en lenke på e-post. Den virker én gang, i ${INVITATION_DAYS} dager, og bare for denne adressen.`}
      open={open}
      onClose={() => leave(onClose)}
    >
      <InviteForm onClose={onClose} />
    </Modal>
  );
}

function InviteForm({ onClose }: Pick<InviteDialogProps, 'onClose'>) {
  const invite = useInviteMember();
  const form = useSchemaForm(memberForm, {
    email: '',
    role: 'EMPLOYEE',
    mayRegister: false,
    mayHandlePayments: false,
    endsOn: null as string | null,
  });
  return (
    <GuardedForm
      form={form}
      name="invitation"
      className="stack"
      save={invite}
      onSaved={onClose}
      label="Invitasjon"
    >
      <TextField label="E-post" type="email" required {...fieldProps(form, 'email')} />
      <AccessFields form={form as unknown as UseFormReturn<Access>} />
      <FormButtons
        label="Send invitasjon"
        pending={invite.isPending}
        onCancel={() => leave(onClose)}
      />
    </GuardedForm>
  );
}

export function ChangeDialog({
  member,
  onClose,
}: {
  member: Member | undefined;
  onClose: () => void;
}) {
  return (
    <Modal
      title="Endre tilgang"
      description={member?.email}
      open={member !== undefined}
      onClose={() => leave(onClose)}
    >
      {member ? <ChangeForm member={member} onClose={onClose} /> : null}
    </Modal>
  );
}

function ChangeForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const update = useUpdateMember(member.uuid);
  const { role, mayRegister, mayHandlePayments, endsOn } = member;
  const form = useSchemaForm(memberUpdate, { role, mayRegister, mayHandlePayments, endsOn });
  return (
    <GuardedForm
      form={form}
      name={`access of ${member.uuid}`}
      className="stack"
      save={update}
      onSaved={onClose}
      label="Tilgang"
    >
      <AccessFields form={form} />
      <FormButtons label="Lagre" pending={update.isPending} onCancel={() => leave(onClose)} />
    </GuardedForm>
  );
}

function AccessFields({ form }: { form: UseFormReturn<Access> }) {
  const wiring = useWiring({ control: form.control, name: 'role' });
  const role = wiring.value;
  return (
    <>
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
    </>
  );
}
