import { useState } from 'react';

import { type ExportKind, EXPORT_KINDS } from '../../../domain/export/export.schema.ts';
import { useCan } from '../session/session.api.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { KIND_LABELS } from './export-labels.ts';
import { withStorage } from '../../lib/storage.ts';

/** The files that accounting programs read. */
const PROGRAMS = ['GBAT10', 'TWENTYFOURSEVEN', 'UNI'] as const satisfies ExportKind[];
type Program = (typeof PROGRAMS)[number];

const KIND = 'faktur.export-kind';
const PROGRAM = 'faktur.export-program';

function isProgram(kind: ExportKind): kind is Program {
  return PROGRAMS.some((program) => program === kind);
}

/** The kind of export, and the accounting program for when it is one's. Remembered per device, not per user. */
export function useExportChoice() {
  const [kind, setKind] = useState(() => kept(KIND, EXPORT_KINDS) ?? 'XLSX');
  const [program, setProgram] = useState(() => kept(PROGRAM, PROGRAMS) ?? 'GBAT10');
  const choose = (next: ExportKind) => {
    setKind(next);
    withStorage((storage) => storage.setItem(KIND, next));
    if (!isProgram(next)) return;
    setProgram(next);
    withStorage((storage) => storage.setItem(PROGRAM, next));
  };
  return { kind, program, choose };
}

function kept<T extends string>(name: string, known: readonly T[]): T | undefined {
  const value = withStorage((storage) => storage.getItem(name));
  return known.find((one) => one === value);
}

const PROGRAM_KIND = 'PROGRAM';

const KINDS = [
  {
    value: 'XLSX',
    label: KIND_LABELS.XLSX,
    hint: 'Ett regneark med fakturaer, linjer, innbetalinger, mva. og bilag.',
  },
  {
    value: 'CSV',
    label: KIND_LABELS.CSV,
    hint: 'De samme tabellene som tekstfiler, samlet i en ZIP-fil.',
  },
  {
    value: PROGRAM_KIND,
    label: 'Til regnskapsprogram',
    hint: 'Bilag som regnskapsføreren leser rett inn i programmet sitt.',
  },
  {
    value: 'SAFT',
    label: KIND_LABELS.SAFT,
    hint: 'Standardfilen for regnskap, med salg, innbetalinger og kunder.',
  },
  {
    value: 'DOCUMENTS',
    label: KIND_LABELS.DOCUMENTS,
    hint: 'Fakturaene og kreditnotaene selv, samlet i en ZIP-fil.',
  },
  {
    value: 'ARCHIVE',
    label: KIND_LABELS.ARCHIVE,
    hint: 'Alt bedriften har i Faktur, til å ta vare på.',
  },
] as const;

const PROGRAM_LABELS: Readonly<Record<Program, string>> = {
  GBAT10: 'Tripletex, Mamut og andre (GBAT10)',
  TWENTYFOURSEVEN: '24SevenOffice',
  UNI: 'Uni Micro, SpareBank 1 Regnskap og DNB Regnskap',
};

interface KindFieldsProps {
  readonly kind: ExportKind;
  /** The accounting program that was chosen last. */
  readonly program: Program;
  readonly onChoose: (kind: ExportKind) => void;
}

export function KindFields({ kind, program, onChoose }: KindFieldsProps) {
  const isOfProgram = isProgram(kind);
  const canArchive = useCan('archive');
  return (
    <>
      <ChoiceField
        label="Hva"
        choices={KINDS.filter(({ value }) => canArchive || value !== 'ARCHIVE')}
        value={isOfProgram ? PROGRAM_KIND : kind}
        onChange={(next) => onChoose(next === PROGRAM_KIND ? program : next)}
      />
      {isOfProgram ? (
        <SelectField
          label="Regnskapsprogram"
          className="lead"
          required
          hint="Spør regnskapsføreren hvis du er i tvil."
          value={kind}
          onChange={({ target }) =>
            onChoose(PROGRAMS.find((known) => known === target.value) ?? program)
          }
          options={PROGRAMS.map((known) => [known, PROGRAM_LABELS[known]])}
        />
      ) : null}
    </>
  );
}
