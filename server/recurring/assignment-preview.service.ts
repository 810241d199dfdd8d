import { todayInOslo } from '../../domain/date.ts';
import { fillIn } from '../../domain/recurring/placeholders.ts';
import { nextPeriods, type Progress } from '../../domain/recurring/recurring-dates.ts';
import {
  PREVIEWED_PERIODS,
  type AssignmentPreview,
  type PreviewBody,
} from '../../domain/recurring/recurring.schema.ts';
import { toSeries } from '../../domain/recurring/series.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { getTemplate } from '../invoice/invoice-template.service.ts';
import type { Db } from '../platform/db/database.ts';
import { findAssignment } from './assignment.repository.ts';
import { revived } from './assignment.service.ts';

/** The next periods of a form, or of an assignment after the change in the form, and its first text. */
export async function previewAssignment(
  context: Context,
  actor: Actor,
  body: PreviewBody,
): Promise<AssignmentPreview> {
  const today = todayInOslo();
  const progress = await progressOf(context.db, actor.companyId, body.uuid ?? null);
  const periods = nextPeriods(toSeries(body), PREVIEWED_PERIODS, progress);
  const description = await firstDescription(context, actor, body);
  const [first] = periods;
  const sample = (text: string | null) => (text !== null && first ? fillIn(text, first) : text);
  return {
    periods: periods.map(({ from, to }) => ({
      periodFrom: from,
      periodTo: to,
      date: from < today ? today : from,
      invoices: [],
      failures: [],
    })),
    sample: { description: sample(description), message: sample(body.message ?? null) },
  };
}

/** The facts that bound the dates of a changed assignment. @throws AppError not_found */
async function progressOf(
  db: Db,
  companyId: number,
  uuid: string | null,
): Promise<Progress | undefined> {
  if (uuid === null) return undefined;
  const row = await findAssignment(db, companyId, { uuid });
  if (!row) throw new AppError('not_found');
  // A paused one goes on when it is resumed, and that may be today at the earliest.
  return row.state === 'ACTIVE' ? row : revived(row);
}

async function firstDescription(
  context: Context,
  actor: Actor,
  { templateId, invoiceLines }: PreviewBody,
): Promise<string | null> {
  if (typeof templateId !== 'number') return invoiceLines?.[0]?.description ?? null;
  const template = await getTemplate(context, actor, templateId);
  return template.lines[0]?.description ?? null;
}
