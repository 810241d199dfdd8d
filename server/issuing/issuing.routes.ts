import type { FastifyInstance } from 'fastify';

import type { ParsedOf } from '../../domain/api/endpoint.ts';
import { inEnglish } from '../../domain/api/rules.ts';
import { getInvoiceHistory } from '../../domain/history/history.endpoints.ts';
import { creditInvoice } from '../../domain/invoice/credit.endpoints.ts';
import {
  createInvoices,
  deleteInvoice,
  deliverInvoice,
  getInvoice,
  getIssueDates,
  listInvoices,
  previewInvoice,
  queueInvoices,
  resendInvoice,
  searchInvoiceLines,
  sendInvoices,
  updateDraft,
  updateInvoice,
  updateInvoices,
} from '../../domain/invoice/invoice.endpoints.ts';
import { findHints } from '../../domain/invoice/draft-hints.ts';
import { issueDatesOn } from '../../domain/invoice/issue-dates.ts';
import { todayInOslo } from '../../domain/date.ts';
import {
  createInvoicesFromTemplate,
  createInvoiceTemplate,
  deleteInvoiceTemplate,
  getInvoiceTemplate,
  listInvoiceTemplates,
  updateInvoiceTemplate,
} from '../../domain/invoice-template/invoice-template.endpoints.ts';
import { disputeInvoice } from '../../domain/reminder/reminder.endpoints.ts';
import type { QueueResult } from '../../domain/invoice/invoice-bulk.schema.ts';
import type { Invoice, MendingPlace } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, BeforeChange, Context } from '../context.ts';
import type { EhfObstacle } from '../../domain/document/document.errors.ts';
import { CARRIERS } from '../delivery/carriers-in-use.service.ts';
import { sendAll } from '../delivery/delivery-making.service.ts';
import { AppError, type Language, sentenceOf } from '../errors.ts';
import { accountRoute, languageOf, route, untilGone } from '../platform/http/route.ts';
import * as templates from '../invoice/invoice-template.service.ts';
import type { Marked } from '../payment/mark-paid.service.ts';
import * as credits from './credit.service.ts';
import { previewInvoice as drawPreview } from './draft-preview.service.ts';
import * as drafts from './drafts.service.ts';
import { listInvoices as list } from './invoice-list.service.ts';
import * as invoices from './issuing.service.ts';
import * as registration from './registration.service.ts';

/** Invoices and credit notes. */
export function invoicingRoutes(app: FastifyInstance, context: Context): void {
  route(app, listInvoices, async ({ actor, query }) => list(context, actor, query));
  route(app, searchInvoiceLines, async ({ actor, query }) =>
    invoices.proposeLines(context, actor, query),
  );
  route(app, getIssueDates, async () => issueDatesOn(todayInOslo()));
  route(app, createInvoices, async ({ actor, body }) =>
    drafts.createInvoices(context, actor, body),
  );
  route(app, previewInvoice, async ({ actor, body }, { reply }) => {
    reply.header('cache-control', 'no-store');
    return Buffer.from(await drawPreview(context, actor, body, untilGone(reply)));
  });
  route(app, createInvoicesFromTemplate, async ({ actor, params, body }) =>
    drafts.createInvoicesFromTemplate(context, actor, params.templateId, body),
  );
  queueRoute(app, context);
  oneInvoiceRoutes(app, context);
  route(app, updateInvoices, async ({ actor, query, body }, { request }) => {
    const marked = await invoices.markInvoices(context, actor, { ...body, ...query });
    const { payments, ...result } = toBulkResult(marked, languageOf(request));
    return query.dryRun ? { ...result, payments } : result;
  });
}

/** The calls that name one invoice, credit note or draft. */
function oneInvoiceRoutes(app: FastifyInstance, context: Context): void {
  route(app, updateInvoice, async ({ actor, params, body }) =>
    invoices.updateStatus(context, actor, params.invoiceUuid, body.status),
  );
  route(app, creditInvoice, async ({ actor, params, query, body }) => {
    const credit = query.dryRun ? credits.tryCredit : credits.creditInvoice;
    return credit(context, actor, params.invoiceUuid, body);
  });
  route(app, disputeInvoice, async ({ actor, params, body }) =>
    invoices.disputeInvoice(context, actor, params.invoiceUuid, body),
  );
  route(app, getInvoice, async ({ actor, params }, { request }) => {
    const { invoice, reasons } = await invoices.getInvoice(context, actor, params.invoiceStr);
    const language = languageOf(request);
    const hinted = await withHints(context, actor, { invoice, language });
    return withObstacles(hinted, reasons, language);
  });
  route(app, updateDraft, async ({ actor, params, body }, { request }) => {
    const invoice = await drafts.updateDraft(context, actor, params.invoiceStr, body);
    return withHints(context, actor, { invoice, language: languageOf(request) });
  });
  route(app, getInvoiceHistory, async ({ actor, params }) =>
    invoices.getHistory(context, actor, params.invoiceStr),
  );
  route(app, deleteInvoice, async ({ actor, params, query }) => {
    await credits.deleteInvoice(context, actor, params.invoiceStr, query.expect);
    return undefined;
  });
}

function queueRoute(app: FastifyInstance, context: Context): void {
  route(app, queueInvoices, async ({ actor, query, body }, { request }) => {
    const { invoiceUuid: one, dryRun } = query;
    const uuids = one === undefined ? namedIn(body) : [one];
    const outcome =
      one === undefined || dryRun
        ? await registration.queueDrafts(context, actor, uuids, { dryRun })
        : await registration.queueInvoice(context, actor, one);
    const isOn = context.config.features.has('einvoice');
    const result = {
      ...toQueueResult(outcome, languageOf(request)),
      ...(isOn && { changed: [...outcome.changed] }),
    };
    if (!dryRun) return result;
    const { queueable, unprintable, hinted, asEhf, otherWay } = outcome;
    return {
      ...result,
      registered: [],
      queueable,
      unprintable,
      hinted,
      ...(context.config.features.has('ehf') && { asEhf }),
      ...(isOn && { otherWay: otherWay.length }),
    };
  });
}

/** The sending of invoices, and the endpoints of each carrier. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  route(app, resendInvoice, async ({ actor, params }) =>
    invoices.resendInvoice(context, actor, params.invoiceUuid),
  );
  route(app, deliverInvoice, async ({ actor, params, body }) =>
    invoices.deliverInvoice(context, actor, params.invoiceUuid, body),
  );
  accountRoute(app, sendInvoices, async ({ caller }) => {
    await sendAll(context, caller);
    return undefined;
  });
  for (const carrier of CARRIERS) carrier.routes?.(app, context);
}

/** Templates of invoices. `beforeChange` runs the checks of concepts that this one must not import. */
export function invoiceTemplateRoutes(
  app: FastifyInstance,
  context: Context,
  beforeChange: BeforeChange<{ readonly templateId: number }>,
): void {
  route(app, listInvoiceTemplates, async ({ actor }) => templates.listTemplates(context, actor));
  route(app, createInvoiceTemplate, async ({ actor, body }) =>
    templates.createTemplate(context, actor, body),
  );
  route(app, updateInvoiceTemplate, async ({ actor, params, body }) =>
    templates.updateTemplate(context, actor, params.invoiceTemplatePk, body, beforeChange),
  );
  route(app, getInvoiceTemplate, async ({ actor, params }) =>
    templates.getTemplate(context, actor, params.invoiceTemplatePk),
  );
  route(app, deleteInvoiceTemplate, async ({ actor, params }) => {
    await templates.deleteTemplate(context, actor, params.invoiceTemplatePk);
    return undefined;
  });
}

/** The uuids that a body names; null without a body. A body without uuids is refused: it must not mean all drafts. */
function namedIn(body: ParsedOf<typeof queueInvoices>['body']): readonly string[] | null {
  if (!body) return null;
  if (body.uuids) return body.uuids;
  const detail = [{ message: inEnglish('uuids', '{0} is a required field'), field: 'uuids' }];
  throw new AppError('validation_failed', { detail });
}

function withObstacles(
  invoice: Invoice,
  reasons: readonly AppError[],
  language: Language,
): Invoice {
  if (reasons.length === 0) return invoice;
  const obstacles = reasons.map((reason) => ({
    message: sentenceOf(reason, language),
    mendedAt: mendingPlaceOf(reason),
  }));
  return { ...invoice, obstacles };
}

async function withHints(
  context: Context,
  actor: Actor,
  { invoice: read, language }: { readonly invoice: Invoice; readonly language: Language },
): Promise<Invoice> {
  const invoice = await invoices.withEInvoice(context, actor, read);
  if (invoice.status !== 'DRAFT') return invoice;
  const dates = await registration.findHintDates(context.db, actor.companyId);
  const ofQuote = await invoices.judgeQuote(context, actor, invoice);
  const draft = { ...invoice, einvoiceReason: invoice.einvoice?.reason, ofQuote };
  const hints = findHints(draft, dates).map(({ code, field, words }) => ({
    code,
    field,
    message: words[language],
  }));
  return { ...invoice, hints };
}

function toQueueResult(outcome: registration.QueueOutcome, language: Language): QueueResult {
  return {
    registered: outcome.registered,
    skipped: [...outcome.skipped.map(named), ...outcome.noDrafts.map(withoutDraft)].map(
      ({ uuid, customerName, customerNumber, mendedAt, reason }) => ({
        uuid,
        customerName,
        customerNumber,
        message: sentenceOf(reason, language),
        mendedAt,
      }),
    ),
  };
}

function named({ draft: { uuid, buyer }, reason }: registration.QueueOutcome['skipped'][number]) {
  return {
    uuid,
    customerName: buyer.name,
    customerNumber: buyer.customerNumber,
    mendedAt: mendingPlaceOf(reason),
    reason,
  };
}

/** The invoice is no draft, so there is no place to correct it. */
function withoutDraft(skipped: registration.QueueOutcome['noDrafts'][number]) {
  return { ...skipped, customerNumber: null, mendedAt: null };
}

/** Where to correct the obstacles to an EHF that lie outside of the invoice. */
const PLACES_OF_OBSTACLES: Partial<Readonly<Record<EhfObstacle, MendingPlace>>> = {
  buyer_number_missing: 'CUSTOMER',
  buyer_number_invalid: 'CUSTOMER',
  seller_number_invalid: 'PROFILE',
};

function mendingPlaceOf({ code, subject }: AppError): MendingPlace {
  switch (code) {
    case 'recipient_without_email':
    case 'line_needs_vat_number':
      return 'CUSTOMER';
    case 'ehf_not_possible':
      return PLACES_OF_OBSTACLES[subject as EhfObstacle] ?? 'INVOICE';
    case 'profile_incomplete':
    case 'no_kid_left':
    case 'ehf_not_agreed':
      return 'PROFILE';
    default:
      return 'INVOICE';
  }
}

function toBulkResult({ updated, skipped, payments }: Marked, language: Language) {
  return {
    updated: [...updated],
    skipped: skipped.map(({ uuid, reason }) => ({ uuid, message: sentenceOf(reason, language) })),
    payments: [...payments],
  };
}
