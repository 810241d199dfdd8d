import { useNavigate } from 'react-router';

import type { Session } from '../../../domain/session/session.schema.ts';
import { discardUnsaved, leave } from '../../forms/unsaved-input.tsx';
import { companyOfTab, isCompanyLinked } from '../../lib/client.ts';
import { laterCode } from '../../lib/later-code.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { DeleteAccount } from '../security/DeleteAccount.tsx';
import { LogoutButton } from '../session/LogoutButton.tsx';
import { useChooseCompany, useStayInCompany } from './company.api.ts';
import { OwnCompanyButton } from './OwnCompany.tsx';

const menu = laterCode(async () => import('../../ui/Menu.tsx'));

function nameOf(name: string | undefined): string {
  return name === undefined || name === '' ? 'Bedrift uten navn' : name;
}

/** The company's name, with a menu of the account's other companies (WEB-28). */
export function CompanySwitcher({ session }: { session: Session }) {
  const { company, companies = [] } = session;
  const navigate = useNavigate();
  const choose = useChooseCompany();
  const code = useLaterCode(menu);
  const go = (uuid: string) =>
    leave(() =>
      choose.mutate(uuid, {
        onSuccess: () => void navigate(paths.invoices),
      }),
    );
  const label = nameOf(company?.name);
  const face = (
    <>
      <span className="cut">{label}</span>
      <ChevronDownIcon />
    </>
  );
  if (!code) return <span className="site-company">{face}</span>;
  return (
    <code.Menu
      label={`Bytt bedrift. Nå: ${label}`}
      className="site-company"
      items={companies.map(({ uuid, name }) => ({ value: uuid, text: nameOf(name) }))}
      chosen={company?.uuid ?? ''}
      onChoose={go}
    >
      {face}
    </code.Menu>
  );
}

/** Asks when the session has another company than this tab: another tab has gone over to it, or a link named this one. */
export function OtherCompany({ session }: { session: Session }) {
  const navigate = useNavigate();
  const choose = useChooseCompany();
  const stay = useStayInCompany();
  const opened = companyOfTab();
  const before = session.companies?.find(({ uuid }) => uuid === opened);
  const goOn = () => {
    discardUnsaved();
    stay();
    void navigate(paths.invoices);
  };
  const isOther = opened !== undefined && opened !== session.company?.uuid;
  const question = isCompanyLinked()
    ? {
        title: before
          ? `Lenken gjelder ${nameOf(before.name)}`
          : 'Du har ikke tilgang til bedriften som lenken gjelder',
        description: `Nå er du i ${nameOf(session.company?.name)}.`,
      }
    : {
        title: 'Du har byttet bedrift i en annen fane',
        description: before
          ? `Denne fanen viser ${nameOf(before.name)}. Det du har skrevet her, er ikke lagret, men står fortsatt.`
          : 'Du har ikke lenger tilgang til bedriften som denne fanen viser.',
      };
  return (
    <Modal
      role="alertdialog"
      {...question}
      open={isOther}
      pending={choose.isPending}
      onClose={() => undefined}
    >
      <ModalButtons>
        <Button disabled={choose.isPending} onClick={goOn}>
          Gå til {nameOf(session.company?.name)}
        </Button>
        {before ? (
          <Button
            variant="primary"
            pending={choose.isPending}
            onClick={() => choose.mutate(before.uuid)}
          >
            Fortsett med {nameOf(before.name)}
          </Button>
        ) : null}
      </ModalButtons>
    </Modal>
  );
}

/** For an account without a company, such as one that was removed from its last, or one that was invited before members were turned off. */
export function NoCompany({ session: { email, features } }: { session: Session }) {
  return (
    <Page heading="Ingen bedrift å vise" width="reading">
      <Card>
        <div className="stack waits">
          <p>
            Du er logget inn som <strong>{email}</strong>, men har ikke tilgang til noen bedrift nå.{' '}
            {features.includes('members')
              ? 'Be en eier i bedriften om å invitere deg, og åpne lenken i e-posten du da får. Er du medlem, men siste dag er over, kan eieren gi deg en senere.'
              : 'Bare eiere kommer inn i bedriftene for tiden. Spør den som eier bedriften din.'}
          </p>
          <div className="row gap-2">
            <OwnCompanyButton />
            {features.includes('closing') ? <DeleteAccount /> : null}
            <LogoutButton />
          </div>
        </div>
      </Card>
    </Page>
  );
}
