import { documentFileName } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import type { DocumentWithFiles } from '../document/document-file.service.ts';
import { createOutgoingDocuments } from '../document/outgoing-document.service.ts';
import { TryLater } from '../jobs/job.ts';
import { MailError } from '../mail/mail-error.ts';
import type { SentMail } from '../mail/mailer.ts';
import type { OutgoingMail } from '../mail/outgoing-mail.ts';
import { PdfNotPrintable } from '../pdf/renderer.ts';
import { createTurns, type Turns } from '../turns.ts';
import { createDeliveryDesk, type DeliveryDesk } from './delivery-desk.ts';
import { judgeDeliveries, STOPPED_REASONS, type Verdict } from './delivery-order.service.ts';
import { recordGivenUp } from './delivery-record.service.ts';
import { invoiceMail } from './delivery.mail.ts';
import * as repository from './delivery.repository.ts';
import type { Lease } from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rows.ts';

/** Mails invoices. */
export interface Mailroom {
  /**
   * Mails one invoice. Running it again, or twice at once, mails nothing twice: see
   * `leaseDuration`. @throws Error to be tried again later
   */
  deliver(deliveryId: number, signal: AbortSignal): Promise<void>;
}

/**
 * Tries before a delivery fails that nobody refused for good. The job's waits double from two
 * seconds to an hour, so that this is about two days.
 */
const ATTEMPTS = 58;
/** Tries that the mail server refused us at, and not the mail: two weeks for an operator to mend it. */
const EXCUSED_ATTEMPTS = 14 * 24;

export const SUPPRESSED_REASON = 'Adressen har avvist e-post tidligere';
/** Tries to print before a delivery fails: a quarter of an hour for what passes. */
const PRINT_ATTEMPTS = 10;
const NOT_PRINTABLE_REASON = 'PDF-en kunne ikke lages. Vi har fått beskjed om feilen.';
const UNKNOWN_REASON = 'Fakturaen kunne ikke sendes';

/** What deliveries share in one process. */
interface Shared {
  readonly context: Context;
  readonly desk: DeliveryDesk;
  readonly prepare: (delivery: DeliveryRow) => Promise<DocumentWithFiles>;
  /** Of companies at the mail server's connections, so that a lease never runs out in a queue. */
  readonly turns: Turns<number>;
  /** What this process is mailing: it needs no lease, and no clock, to know that. */
  readonly underWay: Set<number>;
}

/** The mailroom of this process. */
export function createMailroom(context: Context): Mailroom {
  const shared: Shared = {
    context,
    desk: createDeliveryDesk(context),
    prepare: createOutgoingDocuments(context),
    turns: createTurns({ places: context.config.smtpConnections }),
    underWay: new Set(),
  };
  return {
    deliver: async (deliveryId, signal) => {
      if (shared.underWay.has(deliveryId)) throw new TryLater('This process is mailing it');
      shared.underWay.add(deliveryId);
      try {
        await deliver(shared, deliveryId, signal);
      } finally {
        shared.underWay.delete(deliveryId);
      }
    },
  };
}

async function deliver(shared: Shared, id: number, signal: AbortSignal): Promise<void> {
  const { context, desk } = shared;
  await context.rightOfWay.clear();
  const delivery = await desk.find(id);
  if (delivery?.status !== 'QUEUED' || delivery.deferredUntil !== null) return;
  if (await desk.isSuppressed(delivery.recipient)) {
    await recordGivenUp(context.db, delivery, { failureReason: SUPPRESSED_REASON });
    return;
  }
  const mail = await prepareMail(shared, delivery);
  if (!mail) return;
  await context.rightOfWay.clear();
  const sent = await shared.turns.run(delivery.companyId, async () =>
    send(shared, delivery, mail, signal),
  );
  if (!sent) return;
  await desk.markSent({ id, companyId: delivery.companyId, providerId: sent.serverId });
  context.log.info({ deliveryId: id }, 'invoice mailed');
}

/** The mail to send; null when it was given up. */
async function prepareMail(shared: Shared, delivery: DeliveryRow): Promise<OutgoingMail | null> {
  const { context } = shared;
  try {
    const content = await shared.prepare(delivery);
    if (content.document.kind === 'CREDIT_NOTE') await awaitInvoice(context, delivery);
    return composeMail(context, delivery, content);
  } catch (error) {
    if (error instanceof TryLater) throw error;
    const attempt = await repository.countAttempt(context.db, delivery.id);
    if (!attempt || !isOver(attempt, error)) throw error;
    await giveUp(context, attempt, error);
    return null;
  }
}

/** A credit note never arrives before its invoice. Waiting is no try, and takes no lease. */
async function awaitInvoice(context: Context, delivery: DeliveryRow): Promise<void> {
  const [verdict] = await judgeDeliveries(context.db, [delivery]);
  if (verdict === 'WAIT') throw new TryLater('The invoice that it credits is on its way');
}

/** Once it has its lease, nothing may wait but the mail server. Null when it was given up. */
async function send(
  { context, desk }: Shared,
  delivery: DeliveryRow,
  mail: OutgoingMail,
  signal: AbortSignal,
): Promise<SentMail | null> {
  signal.throwIfAborted();
  const lease = await desk.lease(delivery.id);
  if (!lease) throw new TryLater('Another worker has it, or had it when it died');
  if (lease.verdict !== 'SEND') {
    await stop(context, lease, lease.verdict);
    return null;
  }
  try {
    return await context.mailer.send(mail);
  } catch (error) {
    await takeRefusal(context, lease, error);
    return null;
  }
}

/** Gives up, or lets go and has it tried again: unless the invoice is not to be sent any more. */
async function takeRefusal(context: Context, held: Lease, error: unknown): Promise<void> {
  const lostAnswer = error instanceof MailError && error.mayHaveArrived;
  const lease = { ...held, mayHaveArrived: held.mayHaveArrived || lostAnswer };
  if (isOver(lease, error)) {
    await giveUp(context, lease, error);
    return;
  }
  const [verdict = 'SEND'] = await judgeDeliveries(context.db, [lease]);
  if (verdict !== 'SEND') {
    await stop(context, lease, verdict);
    return;
  }
  await repository.releaseDelivery(context.db, lease, {
    reason: error instanceof MailError ? error.reason : null,
    isExcused: isMisconfigured(error),
  });
  throw error;
}

/** Ends what is not to be sent, or puts it off until it may be. */
async function stop(
  context: Context,
  lease: Lease,
  verdict: Exclude<Verdict, 'SEND'>,
): Promise<void> {
  if (verdict === 'WAIT') {
    await repository.releaseDelivery(context.db, lease, { reason: null, isExcused: true });
    throw new TryLater('The invoice that it credits is on its way');
  }
  const failure = { failureReason: STOPPED_REASONS[verdict], stoppedBy: verdict };
  await recordGivenUp(context.db, lease, failure);
  context.log.info({ deliveryId: lease.id, stoppedBy: verdict }, 'delivery stopped');
}

function isOver({ attempts, excusedAttempts }: Lease, error: unknown): boolean {
  if (isMisconfigured(error)) return excusedAttempts >= EXCUSED_ATTEMPTS;
  if (error instanceof MailError && error.permanent) return true;
  const most = error instanceof PdfNotPrintable ? PRINT_ATTEMPTS : ATTEMPTS;
  return attempts - excusedAttempts >= most;
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof MailError && error.misconfigured;
}

async function giveUp(context: Context, lease: Lease, error: unknown): Promise<void> {
  const reason = reasonOf(error);
  context.log.warn({ deliveryId: lease.id, err: error }, 'delivery given up');
  await recordGivenUp(context.db, lease, { failureReason: reason });
}

function reasonOf(error: unknown): string {
  if (error instanceof MailError) return error.reason;
  return error instanceof PdfNotPrintable ? NOT_PRINTABLE_REASON : UNKNOWN_REASON;
}

function composeMail(
  context: Context,
  delivery: DeliveryRow,
  { document, files }: DocumentWithFiles,
): OutgoingMail {
  const { seller, buyer } = document;
  return {
    from: { name: seller.name, address: context.config.mailFrom },
    replyTo: { name: seller.name, address: seller.email },
    to: { name: buyer.name, address: delivery.recipient },
    messageId: delivery.messageId,
    ...invoiceMail(document, { ehf: files.some(({ format }) => format === 'EHF') }),
    attachments: files.map(({ format, content }) => ({
      filename: documentFileName(document, format === 'PDF' ? 'pdf' : 'xml'),
      contentType: format === 'PDF' ? 'application/pdf' : 'application/xml',
      content,
    })),
  };
}
