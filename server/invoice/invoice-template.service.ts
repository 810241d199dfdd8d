import type {
  InvoiceTemplate,
  InvoiceTemplateForm,
  InvoiceTemplateUpdate,
} from '../../domain/invoice-template/invoice-template.schema.ts';
import type { LineForm } from '../../domain/invoice/invoice-line.schema.ts';
import { presentLine } from '../../domain/invoice/invoice.totals.ts';
import { todayInOslo } from '../../domain/date.ts';
import type { Actor, BeforeChange, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import { isVatRegistered } from '../company/profile.service.ts';
import { describeInParts, type Streamed } from '../platform/http/streamed.ts';
import { readLines } from './lines.service.ts';
import * as repository from './invoice-template.repository.ts';
import type { TemplateLineRow, TemplateRow } from './invoice-template.repository.ts';

/** A template with its lines, for making invoices. */
export interface TemplateWithLines extends TemplateRow {
  readonly lines: readonly TemplateLineRow[];
}

/** How many templates are in memory at once; one has up to a thousand lines. */
const LISTED_AT_ONCE = 10;

/** Every template of the company, streamed when they are many. */
export async function listTemplates(
  { config, db }: Context,
  { companyId }: Actor,
): Promise<InvoiceTemplate[] | Streamed<InvoiceTemplate[]>> {
  const templates = await repository.listTemplates(db, companyId);
  return describeInParts(templates, LISTED_AT_ONCE, async (part) =>
    describe({ config, db }, companyId, part),
  );
}

/** One template. @throws AppError not_found */
export async function getTemplate(
  context: Context,
  actor: Actor,
  id: number,
): Promise<InvoiceTemplate> {
  const template = await repository.findTemplate(context.db, actor.companyId, id);
  if (!template) throw new AppError('not_found');
  return describeOne(context, actor.companyId, template);
}

/**
 * A template with its lines, locked until the transaction ends; null when the company has none with this id.
 */
export async function lockTemplate(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<TemplateWithLines | null> {
  const template = await repository.lockTemplate(trx, companyId, id);
  if (!template) return null;
  return { ...template, lines: await repository.findLines(trx, companyId, [id]) };
}

/** Adds a template. @throws AppError profile_incomplete, unknown_unit */
export async function createTemplate(
  context: Context,
  actor: Actor,
  form: InvoiceTemplateForm,
): Promise<InvoiceTemplate> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    await requireIssuer(trx, companyId);
    const template = await repository.insertTemplate(trx, companyId, valuesOf(form));
    await saveLines(context, trx, template.id, { companyId, sent: form.lines, stored: [] });
    return describeOne({ ...context, db: trx }, companyId, template);
  });
}

/**
 * Saves a template: keeps lines with an id, adds those without, and deletes the rest.
 * @throws AppError not_found, changed_meanwhile, unknown_template_line, unknown_unit, and as `beforeChange`
 */
export async function updateTemplate(
  context: Context,
  actor: Actor,
  id: number,
  form: InvoiceTemplateUpdate,
  beforeChange: BeforeChange<{ readonly templateId: number }>,
): Promise<InvoiceTemplate> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const values = valuesOf(form);
    const template = await repository.saveTemplate(trx, companyId, id, values, form.version);
    if (!template) {
      const isThere = await repository.findTemplate(trx, companyId, id);
      throw isThere ? changedMeanwhile() : new AppError('not_found');
    }
    await beforeChange(context, trx, actor, { templateId: id });
    const stored = await dropLines(trx, companyId, id, form.lines);
    await saveLines(context, trx, id, { companyId, sent: form.lines, stored });
    return describeOne({ ...context, db: trx }, companyId, template);
  });
}

function valuesOf({ name, deliveryType, dueDays }: InvoiceTemplateForm) {
  return { name, deliveryType, dueDays };
}

/** Deletes the lines whose ids are missing, and refuses ids of other templates. Returns the previous lines. */
async function dropLines(
  trx: Trx,
  companyId: number,
  templateId: number,
  sent: InvoiceTemplateUpdate['lines'],
): Promise<readonly TemplateLineRow[]> {
  const stored = await repository.findLines(trx, companyId, [templateId]);
  const unclaimed = new Set(stored.map((line) => line.id));
  for (const [index, { id }] of sent.entries()) {
    if (typeof id === 'number' && !unclaimed.delete(id)) {
      throw new AppError('unknown_template_line', { field: `lines[${index}].id`, subject: id });
    }
  }
  await repository.deleteLines(trx, companyId, templateId, [...unclaimed]);
  return stored;
}

async function saveLines(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  templateId: number,
  {
    companyId,
    sent,
    stored,
  }: {
    readonly companyId: number;
    readonly sent: readonly (LineForm & { id?: number | null })[];
    readonly stored: readonly TemplateLineRow[];
  },
): Promise<void> {
  const vatRegistered = await isVatRegistered(trx, companyId);
  const lines = await readLines(config, trx, companyId, {
    forms: sent,
    field: 'lines',
    before: stored,
    date: todayInOslo(),
    vatRegistered,
  });
  for (const [position, line] of lines.entries()) {
    const owner = { companyId, templateId, position };
    const id = sent[position]?.id ?? null;
    if (id === null) await repository.insertLine(trx, owner, line);
    else await repository.saveLine(trx, owner, id, line);
  }
}

/** Deletes a template; invoices made from it stay. @throws AppError not_found */
export async function deleteTemplate(context: Context, actor: Actor, id: number): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const isDeleted = await repository.deleteTemplate(trx, actor.companyId, id);
    if (!isDeleted) throw new AppError('not_found');
  });
}

type Reading = Pick<Context, 'config' | 'db'>;

async function describeOne(
  { config, db }: Reading,
  companyId: number,
  template: TemplateRow,
): Promise<InvoiceTemplate> {
  return toTemplate(template, await repository.findLines(db, companyId, [template.id]), config);
}

async function describe(
  { config, db }: Reading,
  companyId: number,
  templates: readonly TemplateRow[],
): Promise<InvoiceTemplate[]> {
  const ids = templates.map(({ id }) => id);
  const lines = await repository.findLines(db, companyId, ids);
  const linesOf = Map.groupBy(lines, ({ templateId }) => templateId);
  return templates.map((template) => toTemplate(template, linesOf.get(template.id) ?? [], config));
}

function toTemplate(
  template: TemplateRow,
  lines: readonly TemplateLineRow[],
  { features }: Context['config'],
): InvoiceTemplate {
  return {
    id: template.id,
    name: template.name,
    deliveryType: template.deliveryType,
    dueDays: template.dueDays,
    version: template.version,
    lines: lines.map((line) => ({
      id: line.id,
      ...presentLine(line, features),
    })),
  };
}
