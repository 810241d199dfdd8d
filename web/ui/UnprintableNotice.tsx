import { useWatch, type Control, type FieldValues } from 'react-hook-form';

import { laterCode } from '../lib/later-code.ts';
import { Alert } from './Surface.tsx';
import { useLaterCode } from './useLaterCode.ts';

/** The characters of all fonts are 1.5 kB, which a form does not need to be shown. */
const unprintable = laterCode(async () => import('../lib/unprintable.ts'));

/** Warns about characters in a form that documents cannot show. The form can still be saved. */
export function UnprintableInForm<I extends FieldValues, O>({
  control,
}: {
  readonly control: Control<I, unknown, O>;
}) {
  return <UnprintableNotice content={useWatch({ control })} />;
}

export function UnprintableNotice({ content }: { readonly content: unknown }) {
  const letters = useLaterCode(unprintable)?.unprintableOf(content) ?? [];
  if (letters.length === 0) return null;
  return (
    <Alert tone="warning" live title="Noen tegn kan ikke skrives ut">
      Fakturaer og purringer viser � i stedet for {letters.join(' ')}. Skriv det på en annen måte.
    </Alert>
  );
}

/** Whether a value's strings have characters that documents cannot show. */
export async function isUnprintable(content: unknown): Promise<boolean> {
  const { unprintableOf } = await unprintable.load();
  return unprintableOf(content).length > 0;
}
