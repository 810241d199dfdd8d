import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { Fetched } from '../../ui/Surface.tsx';
import { ImportPage } from '../import/ImportPage.tsx';
import { vatOf } from '../editor/draft-values.ts';
import { profileQuery } from '../profile/profile.api.ts';
import { useFeatures } from '../session/session.api.ts';
import { productKind } from './product-kind.tsx';

export function ProductImportPage() {
  return (
    <Fetched query={useQuery(profileQuery)}>
      {(profile) => <ProductImport profile={profile} />}
    </Fetched>
  );
}

function ProductImport({ profile }: { profile: Profile }) {
  const features = useFeatures();
  const kind = useMemo(() => productKind(features, vatOf(profile)), [features, profile]);
  return <ImportPage kind={kind} />;
}
