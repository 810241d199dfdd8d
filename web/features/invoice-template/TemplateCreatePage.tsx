import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { DeliveryTypeField } from '../editor/DeliveryTypeField.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import { emptyLine } from '../invoice/draft-lines.ts';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery, useMaySendEhf } from '../profile/profile.api.ts';
import { IncompleteProfile } from '../../ui/IncompleteProfile.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import { useCreateInvoiceTemplate } from './invoice-template.api.ts';

export function TemplateCreatePage() {
  const navigate = useNavigate();
  const create = useCreateInvoiceTemplate();
  const maySendEhf = useMaySendEhf();
  const profile = useQuery(profileQuery);
  const incomplete = profile.data?.isProfileCompleted === false;
  const vatRegistered = profile.data?.vatRegistered !== false;
  return (
    <Page heading="Ny fakturamal">
      {profile.isPending ? (
        <Loading />
      ) : (
        <>
          {incomplete ? <IncompleteProfile of="maler" /> : null}
          <TemplateForm
            firstLines={[emptyLine(vatRegistered)]}
            delivery={
              <DeliveryTypeField
                locked={false}
                delivery={{ types: offeredDeliveryTypes(maySendEhf), withoutEhf: [] }}
              />
            }
            incomplete={incomplete}
            save={create}
            onSaved={() => void navigate(paths.templates)}
          >
            <InvoiceLines name="lines" vatRegistered={vatRegistered} />
          </TemplateForm>
        </>
      )}
    </Page>
  );
}
