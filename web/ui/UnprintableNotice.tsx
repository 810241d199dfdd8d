import { useWatch, type Control, type FieldValues } from 'react-hook-form';

import { unprintableIn } from '../../domain/printable.ts';
import { Alert } from './Alert.tsx';

/** Warns about characters in a form that documents cannot show. The form can still be saved. */
export function UnprintableInForm<I extends FieldValues, O>({
  control,
}: {
  readonly control: Control<I, unknown, O>;
}) {
  return <UnprintableNotice content={useWatch({ control })} />;
}

export function UnprintableNotice({ content }: { readonly content: unknown }) {
  const letters = unprintableOf(content);
  if (letters.length === 0) return null;
  return (
    <Alert tone="warning" live title="Noen tegn kan ikke skrives ut">
      Fakturaer og purringer viser � i stedet for {letters.join(' ')}. Skriv det på en annen måte.
    </Alert>
  );
}

/** The distinct characters in a value's strings that documents cannot show. */
export function unprintableOf(content: unknown): string[] {
  return [...new Set(textsOf(content).flatMap(unprintableIn))];
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (content === null || typeof content !== 'object') return [];
  return Object.values(content).flatMap(textsOf);
}
