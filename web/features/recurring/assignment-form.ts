import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod/mini';

import type { Feature } from '../../../domain/api/endpoint.ts';
import { rule } from '../../../domain/api/rules.ts';
import { addDays, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import {
  assignmentForm,
  type Assignment,
  type AssignmentForm,
} from '../../../domain/recurring/recurring.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export const ENDS = ['NEVER', 'DATE', 'TIMES'] as const;
export type End = (typeof ENDS)[number];

const missing = { ...rule('{0} is a required field'), when: () => true };

/** The contract's form plus the chosen end, whose field is then required. */
export function assignmentFields(features: ReadonlySet<Feature>) {
  return z.safeExtend(assignmentForm(features), { end: z.enum(ENDS) }).check(
    z.refine(({ end, lastDate }) => end !== 'DATE' || Boolean(lastDate), {
      ...missing,
      path: ['lastDate'],
    }),
    z.refine(({ end, occurrences }) => end !== 'TIMES' || Boolean(occurrences), {
      ...missing,
      path: ['occurrences'],
    }),
  );
}

export type AssignmentFields = z.output<ReturnType<typeof assignmentFields>>;
export type AssignmentDraft = Draft<z.input<ReturnType<typeof assignmentFields>>>;
export type AssignmentFormState = UseFormReturn<AssignmentDraft, unknown, AssignmentFields>;

/** Removes the chosen end; the server derives it from the filled-in field. */
export function toBody(values: AssignmentFields): AssignmentForm {
  const { end: _, ...body } = values;
  return body;
}

/** The terms of the invoices, which a template may set. */
export type AssignmentTerms = Pick<
  AssignmentDraft,
  'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'
>;

/** The defaults of a new assignment: monthly from the first of next month. */
export function newAssignment(terms: AssignmentTerms, message: string | null): AssignmentDraft {
  return {
    ...terms,
    name: '',
    customerNumbers: [],
    groupUuid: null,
    message,
    mode: 'DRAFT',
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    firstDate: firstOfNextMonth(todayInOslo()),
    end: 'NEVER',
    lastDate: '',
    occurrences: null,
  };
}

/** @param terms the assignment's own, or the current ones of its template */
export function storedAssignment(assignment: Assignment, terms: AssignmentTerms): AssignmentDraft {
  const { lastDate, occurrences } = assignment;
  return {
    ...terms,
    name: assignment.name,
    customerNumbers: assignment.customerNumbers,
    groupUuid: assignment.groupUuid,
    message: assignment.message,
    mode: assignment.mode,
    interval: assignment.interval,
    day: assignment.day,
    firstDate: assignment.firstDate,
    end: lastDate ? 'DATE' : occurrences ? 'TIMES' : 'NEVER',
    lastDate: lastDate ?? '',
    occurrences,
  };
}

function firstOfNextMonth(today: IsoDate): IsoDate {
  return `${addDays(`${today.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
}
