import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useInfiniteQuery } from '@tanstack/react-query';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import {
  type ExportKind,
  EXPORT_KINDS,
  exportFilter,
  type ExportFilter,
} from '../../../domain/export/export.schema.ts';
import { parseDate } from '../../lib/date-text.ts';
import { datesOf, PERIOD_LABELS, periodOf, type PeriodName } from '../../lib/period.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox, SelectField } from '../../ui/Field.tsx';
import { BACKWARDS, PeriodFields, usePeriod } from '../../ui/PeriodFields.tsx';
import { useCan } from '../session/session.api.ts';
import { KIND_LABELS } from './export-labels.ts';
import { withStorage } from '../../lib/storage.ts';
import { showCount } from '../../lib/number-text.ts';
import { invoicesQuery } from '../invoice/invoice.api.ts';
import { LISTED_LABELS } from '../invoice/invoice-labels.ts';

/**
 * The chosen period, with the typed dates. It begins with the one of the list, as the address has it, or with the last
 * month, which is the one that is whole.
 */
export function useExportPeriod() {
  const [today] = useState(() => todayInOslo());
  const [search] = useSearchParams();
  const listed = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const first = listed.from || listed.to ? (periodOf(listed, today) ?? 'DATES') : 'LAST_MONTH';
  const period = usePeriod<PeriodName>(first, (name) => datesOf(name, today), listed);
  const { name, named, days } = period;
  const isBackwards = days !== undefined && days.from > days.to;
  return {
    ...period,
    isBackwards,
    /** Undefined while the dates are not whole. */
    chosen:
      name === 'SINCE_LAST' ? ('SINCE_LAST' as const) : (named ?? (isBackwards ? undefined : days)),
  };
}

interface ExportPeriodProps {
  readonly period: ReturnType<typeof useExportPeriod>;
  readonly isIgnored: boolean;
}

export function ExportPeriod({ period, isIgnored }: ExportPeriodProps) {
  const { name, named, isBackwards } = period;
  const hint = isIgnored
    ? 'Arkivet har alt, uansett periode.'
    : named
      ? `${formatDate(named.from)} – ${formatDate(named.to)}`
      : name === 'SINCE_LAST'
        ? 'Alle numre etter det siste som ble eksportert.'
        : undefined;
  return (
    <PeriodFields
      period={period}
      labels={PERIOD_LABELS}
      hint={hint}
      fault={isBackwards ? BACKWARDS : undefined}
      disabled={isIgnored}
    />
  );
}

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

/** The filter of the invoice list that came along in the address, and how many it finds. */
export function useListFilter() {
  const [search] = useSearchParams();
  const filter = filterIn(search);
  const list = useInfiniteQuery({
    ...invoicesQuery({
      query: filter?.query ?? '',
      status: filter?.status ?? undefined,
      customerNumber: filter?.customerNumber ?? undefined,
      from: parseDate(search.get('from') ?? '') ?? undefined,
      to: parseDate(search.get('to') ?? '') ?? undefined,
    }),
    enabled: filter !== undefined,
  });
  return { filter, count: filter && list.data?.pages[0]?.count };
}

/** The filter in an address; undefined without one, and of one that means nothing. */
function filterIn(search: URLSearchParams): ExportFilter | undefined {
  const customerNumber = search.get('customer_number');
  const parsed = exportFilter.safeParse({
    status: search.get('status'),
    query: search.get('query') ?? '',
    customerNumber: customerNumber && Number(customerNumber),
  });
  if (!parsed.success) return undefined;
  const isEmpty = Object.values(parsed.data).every((value) => value === null || value === '');
  return isEmpty ? undefined : parsed.data;
}

interface FilterFieldProps {
  readonly list: ReturnType<typeof useListFilter>;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

export function FilterField({ list: { filter, count }, isChosen, onChoose }: FilterFieldProps) {
  return (
    <Checkbox
      label={labelOf(count)}
      hint={filter ? filterText(filter) : undefined}
      checked={isChosen}
      onChange={({ target }) => onChoose(target.checked)}
    />
  );
}

function labelOf(count: number | undefined): string {
  if (count === 1) return 'Bare den ene i listen nå';
  return count === undefined ? 'Bare de i listen nå' : `Bare de ${showCount(count)} i listen nå`;
}

/** 'Forfalt, kunde 12, søk på «tak». Innbetalinger er med uansett.' */
function filterText({ status, query, customerNumber }: ExportFilter): string {
  const parts = [
    status && LISTED_LABELS[status],
    customerNumber && `kunde ${customerNumber}`,
    query && `søk på «${query}»`,
  ];
  const text = parts.filter(Boolean).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Innbetalinger blir med uansett.`;
}
