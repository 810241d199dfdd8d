import { useState } from 'react';

import { EXPORT_KINDS, type ExportKind } from '../../../domain/export/export.schema.ts';
import { withStorage } from '../../lib/storage.ts';

/** The files that accounting programs read. */
export const PROGRAMS = ['GBAT10', 'TWENTYFOURSEVEN', 'UNI'] as const satisfies ExportKind[];
export type Program = (typeof PROGRAMS)[number];

const KIND = 'faktur.export-kind';
const PROGRAM = 'faktur.export-program';

export function isProgram(kind: ExportKind): kind is Program {
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
