import { lookup } from 'node:dns/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { ConfigError, type Config } from './config.ts';
import { allJobs } from './all-jobs.ts';
import type { Context } from './context.ts';
import type { BeforeDeletion } from './customer/customer.service.ts';
import { countingDepths } from './operator/depths.ts';
import type { Logger } from './platform/log/log.ts';
import { bankFileRoutes } from './payment/bank-file/bank-file.routes.ts';
import { createBankFileReader } from './payment/bank-file/read/bank-file-reader.ts';
import {
  customerGroupRoutes,
  customerImportRoutes,
  customerRoutes,
} from './customer/customer.routes.ts';
import { CALL_LIMITS } from './platform/db/connections.ts';
import { openDatabase, type Database } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { PoolerError } from './platform/db/database-errors.ts';
import { checkPooler } from './platform/db/pooler.ts';
import { failRefused } from './delivery/carriers/email/email-notice.service.ts';
import { releaseLeases } from './delivery/delivery-housekeeping.service.ts';
import { documentRoutes } from './document/document.routes.ts';
import { isExported } from './export/export.repository.ts';
import { exportRoutes } from './export/export.routes.ts';
import { sharedFileRoute } from './export/shared-file.routes.ts';
import { countStrangerMail } from './delivery/carriers/email/email.carrier.ts';
import { exportLinks } from './export/shared-file.service.ts';
import { openErrorReports, type ErrorReports } from './platform/log/error-reports.ts';
import { fetchText as fetchFromHost } from './platform/limits/fetch-text.ts';
import { serveDocs } from './platform/http/openapi.ts';
import { answerUnknownAddresses } from './platform/http/error-answers.ts';
import { healthRoutes, metricsRoutes } from './platform/http/monitoring.ts';
import { servePages } from './platform/http/pages.ts';
import { createServer } from './platform/http/server.ts';
import { closingRoutes } from './closing/closing.routes.ts';
import { recogniseCallers } from './account/callers.ts';
import {
  deliveryRoutes,
  invoiceTemplateRoutes,
  invoicingRoutes,
} from './issuing/issuing.routes.ts';
import type { JobHandler } from './platform/jobs/job.ts';
import * as declaredJobs from './platform/jobs/jobs.ts';
import { createJobQueue } from './platform/jobs/queue.ts';
import { createMailer, type Mailer } from './platform/mail/mailer.ts';
import { judgeRefusals } from './platform/mail/refusals.ts';
import { createMetrics, timeObjects, type Metrics } from './platform/metrics/measurements.ts';
import { newsletterRoutes } from './newsletter/newsletter.routes.ts';
import { einvoiceRoutes } from './einvoice/einvoice.routes.ts';
import { warnOfNetwork } from './einvoice/evidence.service.ts';
import type { Wire } from './delivery/carriers/ehf/guarded-fetch.ts';
import { openNetwork } from './delivery/carriers/ehf/network.ts';
import { ObjectStoreAway, type ObjectStore } from './platform/object-store/object-store.ts';
import { openObjectStore, tryObjectStore } from './platform/object-store/open-object-store.ts';
import { createPdfRenderer } from './document/pdf/renderer.ts';
import { overviewLinks } from './overview/overview-link.service.ts';
import { overviewRoutes } from './overview/overview.routes.ts';
import { sharedOverviewRoutes } from './overview/shared-overview.routes.ts';
import { takeCommands } from './operator/run-command.ts';
import { portalRoutes } from './portal/portal.routes.ts';
import { paymentRoutes } from './payment/payment.routes.ts';
import { productRoutes } from './product/product.routes.ts';
import { reminderRoutes } from './reminder/reminder.routes.ts';
import { profileRoutes } from './company/profile.routes.ts';
import { requireNoQuotes } from './quote/quote-drafts.service.ts';
import { quoteRoutes } from './quote/quote.routes.ts';
import { leaveAssignments } from './recurring/assignment.service.ts';
import { demandForSource } from './recurring/sending-source.service.ts';
import { recurringRoutes } from './recurring/recurring.routes.ts';
import { openLookups } from './account/session.service.ts';
import { memberRoutes } from './account/member.routes.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { createWebhookClient, type WebhookClient } from './integration/webhook-client.ts';
import { switchEvents } from './integration/webhook-message.service.ts';
import { startWebhooks, type WebhookWorker } from './integration/webhook-worker.ts';
import { webhookRoutes } from './integration/webhook.routes.ts';
import { tokenRoutes } from './account/token.routes.ts';

/** The running product, or the part of it selected by ROLE. */
export interface App {
  readonly http: FastifyInstance;
  readonly context: Context;
  /** Listens, and returns the port. */
  listen(): Promise<number>;
  /** Finishes work in progress and releases all resources. */
  close(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly log: Logger;
  /** An open database; if absent, the configured one is opened. */
  readonly database?: Database;
  /** The built web app; null serves the API alone. */
  readonly webFolder: string | null;
  /** Fetches texts from other hosts; over HTTPS when absent. */
  readonly fetchText?: Context['fetchText'];
  /** Connection to Peppol's publishers; the open network when absent. */
  readonly peppolWire?: Wire;
  /** Hands over messages to webhooks; over the open network when absent. */
  readonly webhookClient?: WebhookClient;
}

/** Output folder of `vite build`. */
export const WEB_FOLDER = join(import.meta.dirname, '..', 'dist', 'web');

/** One connection for each login code and welcome that runs at once; see `jobs.ts`. */
const LOGIN_CONNECTIONS =
  declaredJobs.loginMailJob.options.batchSize + declaredJobs.newsletterWelcomeJob.options.batchSize;
/** How long jobs may take to stop, beyond the mails in progress (milliseconds). */
const STOP_MARGIN = 10_000;

/** Assembles the product on its database and starts its background work. */
export async function createApp({
  config,
  log,
  database: given,
  webFolder,
  fetchText = fetchFromHost,
  peppolWire,
  webhookClient = createWebhookClient({ hosts: config.webhookHosts }),
}: Options): Promise<App> {
  // Before any migration: unusable settings end the start.
  const mailers = openMailers(config);
  const objectStore = await openDocumentStore(config, log);
  const database =
    given ?? (await openDatabase({ ...config, onError: reportTo(log), limits: CALL_LIMITS }));
  await checkPooler(database, (advice) => log.warn(advice));
  await migrate(database, { report: (message) => log.info(message) });
  const reports = await openErrorReports(config);
  const stopTimeout = config.smtpTimeout + STOP_MARGIN;
  const jobs = createJobQueue({ database, log, reports, stopTimeout });
  const metrics = createMetrics(countingDepths(config, database, jobs, log));
  const context: Context = {
    config,
    db: database.db,
    directUrl: database.directUrl,
    objectStore: timeObjects(objectStore, metrics),
    ...openLookups({ config, db: database.db }),
    jobs,
    ...watchMails(mailers, { config, db: database.db, log, metrics }),
    pdf: createPdfRenderer({ log, reports, durations: metrics.pdf }),
    fetchText,
    network: openNetwork(config, peppolWire),
    log,
  };
  warnOfNetwork(context);
  const handlers = allJobs(context);
  const http = await createHttp({ context, database, reports, metrics, webFolder, webhookClient });
  const webhooks = await startWork(context, database, handlers, webhookClient);
  // A database in memory belongs to a test, which has no operator.
  const operator = given === undefined && database.pglite ? await takeCommands(context) : null;
  return {
    http,
    context,
    listen: async () => listen(http, config),
    close: async () => {
      const operatorClosed = operator?.close();
      await closeServices(http, context, webhooks);
      // A running command finishes first; until then it uses the database.
      await operatorClosed;
      await database.close();
      await reports.close();
    },
  };
}

/** Starts the jobs, and what sends messages to webhooks, where this process does either. */
async function startWork(
  context: Context,
  database: Database,
  handlers: readonly JobHandler[],
  webhookClient: WebhookClient,
): Promise<WebhookWorker | null> {
  const { features, role } = context.config;
  const work = role !== 'web';
  if (database.pglite) await releaseLeases(context);
  await switchEvents(context);
  await context.jobs.start(handlers, { work, features });
  return work && features.has('integrations') ? startWebhooks(context, webhookClient) : null;
}

/** Wrong settings end the start. An unavailable store does not: everything except documents works without it. */
async function openDocumentStore({ documentStore }: Config, log: Logger): Promise<ObjectStore> {
  const store = openObjectStore(documentStore);
  try {
    if (documentStore) await tryObjectStore(store);
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    const { message, advice, isUrgent, cause } = error;
    if (isUrgent) {
      store.close();
      throw new ConfigError(`DOCUMENT_STORE cannot be used: ${message}; ${advice}`, { cause });
    }
    log.error({ reason: message }, advice);
  }
  return store;
}

function openMailers(config: Config): Pick<Context, 'mailer' | 'loginMailer'> {
  return {
    mailer: openMailer(config, config.smtpConnections),
    loginMailer: openMailer(config, LOGIN_CONNECTIONS),
  };
}

function openMailer(config: Config, maxConnections: number): Mailer {
  try {
    return createMailer({
      smtpUrl: config.smtpUrl,
      outboxDir: join(config.dataDir, 'outbox'),
      dkim: config.dkim ?? undefined,
      maxConnections,
      timeouts: { deadline: config.smtpTimeout },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError(`Mail cannot be sent as the settings say: ${error.message}`, {
      cause: error,
    });
  }
}

/** Judges refusals, fails the deliveries of mails that are refused for good, and measures every mail. */
function watchMails(
  { mailer, loginMailer }: Pick<Context, 'mailer' | 'loginMailer'>,
  { metrics, ...context }: Pick<Context, 'config' | 'db' | 'log'> & { readonly metrics: Metrics },
): Pick<Context, 'mailer' | 'loginMailer'> {
  const onFailed = async (messageIds: readonly string[]) => failRefused(context, messageIds);
  const watch = (one: Mailer) =>
    judgeRefusals(one, { ...context, onFailed, durations: metrics.mail });
  return { mailer: watch(mailer), loginMailer: watch(loginMailer) };
}

/** Logs errors outside calls. A pooler mixes up names at every second call, so that is logged only once. */
function reportTo(log: Logger) {
  let isPoolerTold = false;
  return (error: Error) => {
    if (!(error instanceof PoolerError)) log.warn({ err: error }, 'database connection lost');
    else if (!isPoolerTold) log.error(error.message);
    isPoolerTold ||= error instanceof PoolerError;
  };
}

interface Parts {
  readonly context: Context;
  readonly database: Database;
  readonly reports: ErrorReports;
  readonly metrics: Metrics;
  readonly webFolder: string | null;
  readonly webhookClient: WebhookClient;
}

const beforeCustomerIsDeleted: BeforeDeletion = async (...deletion) => {
  await leaveAssignments(...deletion);
  await requireNoQuotes(...deletion);
};

async function createHttp({
  context,
  database,
  reports,
  metrics,
  webFolder,
  webhookClient,
}: Parts): Promise<FastifyInstance> {
  const app = await createServer(context.config, context.log, reports);
  healthRoutes(app, database);
  metricsRoutes(app, context.config, metrics);
  if (context.config.role === 'worker') {
    answerUnknownAddresses(app);
    return app;
  }
  app.decorate('answers', { db: context.db, secretKey: context.config.secretKey });
  recogniseCallers(app, context);
  sessionRoutes(app, context);
  memberRoutes(app, context, {
    links: [exportLinks, overviewLinks],
    countMail: countStrangerMail,
  });
  for (const routes of [tokenRoutes, closingRoutes, profileRoutes]) routes(app, context);
  customerGroupRoutes(app, context, demandForSource);
  customerImportRoutes(app, context, demandForSource);
  customerRoutes(app, context, beforeCustomerIsDeleted);
  productRoutes(app, context);
  invoiceTemplateRoutes(app, context, demandForSource);
  invoicingRoutes(app, context);
  deliveryRoutes(app, context);
  einvoiceRoutes(app, context);
  recurringRoutes(app, context);
  quoteRoutes(app, context);
  paymentRoutes(app, context, isExported);
  reminderRoutes(app, context);
  bankFileRoutes(app, context, createBankFileReader());
  documentRoutes(app, context);
  exportRoutes(app, context);
  sharedFileRoute(app, context);
  overviewRoutes(app, context);
  sharedOverviewRoutes(app, context);
  portalRoutes(app, context);
  webhookRoutes(app, context, webhookClient);
  newsletterRoutes(app, context);
  await serveDocs(app, context.config);
  if (webFolder === null) answerUnknownAddresses(app);
  else await servePages(app, context, webFolder);
  return app;
}

async function listen(http: FastifyInstance, config: Config): Promise<number> {
  // For the name 'localhost' Fastify would open a second server without our limits on connections.
  const { address: host } = await lookup(config.host);
  await http.listen({ port: config.port, host });
  const address = http.server.address();
  return address !== null && typeof address === 'object' ? address.port : config.port;
}

async function closeServices(
  http: FastifyInstance,
  context: Context,
  webhooks: WebhookWorker | null,
): Promise<void> {
  await http.close();
  await webhooks?.stop();
  await context.jobs.stop();
  await context.mailer.close();
  await context.loginMailer.close();
  await context.pdf.close();
  context.objectStore.close();
}
