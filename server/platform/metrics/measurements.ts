import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { ObjectStore } from '../object-store/object-store.ts';

/** Metrics of the process. Each app has its own, so that tests do not mix theirs. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Counts in the database; see `countingDepths`. */
export interface Depths {
  readonly deliveries: Readonly<
    Record<'pending' | 'queued' | 'deferred' | 'sent' | 'failed', number>
  >;
  /** EHF deliveries that have waited for three days. */
  readonly overdueEhf: number;
  /** Documents that the access point transmitted in another form than ours. */
  readonly differentEhf: number;
  /** Late payment rates, current or soon, that nobody has added. */
  readonly missingRates: number;
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly active: number;
    readonly oldestSeconds: number;
  }[];
}

/**
 * The process's metrics with names as in Prometheus; durations are in seconds.
 *
 * @param readDepths reads the database counts at every scrape; null when they cannot be read
 */
export function createMetrics(readDepths: () => Promise<Depths | null>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = makeGauges(registry);
  const registers = [registry];
  return {
    contentType: registry.contentType,
    /** All metrics as text, including the database counts. */
    read: async () => {
      showDepths(gauges, await readDepths());
      return registry.metrics();
    },
    http: new Histogram({
      name: 'faktur_http_request_duration_seconds',
      help: 'Time from request to answer, by route',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    mail: new Histogram({
      name: 'faktur_mail_duration_seconds',
      help: 'Time to hand one mail to the mail server',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    pdf: new Histogram({
      name: 'faktur_pdf_duration_seconds',
      help: 'Time to render one PDF, with its wait for a process',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    objects: new Histogram({
      name: 'faktur_document_store_duration_seconds',
      help: 'Time of one call of the document store',
      labelNames: ['call', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
  };
}

function showDepths(gauges: ReturnType<typeof makeGauges>, depths: Depths | null): void {
  for (const gauge of Object.values(gauges)) gauge.reset();
  if (!depths) {
    // Without labels, an unset gauge would be 0 and end its alert.
    const { overdueEhf, differentEhf, missingRates } = gauges;
    for (const gauge of [overdueEhf, differentEhf, missingRates]) gauge.remove();
    return;
  }
  gauges.overdueEhf.set(depths.overdueEhf);
  gauges.differentEhf.set(depths.differentEhf);
  gauges.missingRates.set(depths.missingRates);
  for (const [status, count] of Object.entries(depths.deliveries)) {
    gauges.deliveries.set({ status }, count);
  }
  for (const { name: queue, waiting, active, oldestSeconds } of depths.queues) {
    gauges.waiting.set({ queue }, waiting);
    gauges.active.set({ queue }, active);
    gauges.oldest.set({ queue }, oldestSeconds);
  }
}

function makeGauges(registry: Registry) {
  const registers = [registry];
  const deliveries = new Gauge({
    name: 'faktur_deliveries',
    help: 'E-mail invoices by what has become of them; failed counts every failed try to deliver',
    labelNames: ['status'],
    registers,
  });
  const waiting = new Gauge({
    name: 'faktur_queue_waiting_jobs',
    help: 'Jobs that wait, also for a retry',
    labelNames: ['queue'],
    registers,
  });
  const active = new Gauge({
    name: 'faktur_queue_active_jobs',
    help: 'Jobs that run',
    labelNames: ['queue'],
    registers,
  });
  const oldest = new Gauge({
    name: 'faktur_queue_oldest_seconds',
    help: 'How long the job has waited that should have begun first',
    labelNames: ['queue'],
    registers,
  });
  const overdueEhf = new Gauge({
    name: 'faktur_ehf_overdue',
    help: 'Deliveries by EHF that have waited for three days',
    registers,
  });
  const differentEhf = new Gauge({
    name: 'faktur_ehf_differences',
    help: 'Documents that the access point transmitted otherwise than we made them',
    registers,
  });
  const missingRates = new Gauge({
    name: 'faktur_late_payment_rates_missing',
    help: 'Rates of late payment that hold, or will within a fortnight, and that nobody has added',
    registers,
  });
  return { deliveries, waiting, active, oldest, overdueEhf, differentEhf, missingRates };
}

/** Wraps the store to measure every call. */
export function timeObjects(store: ObjectStore, metrics: Metrics): ObjectStore {
  const timed = async <T>(call: 'put' | 'get' | 'delete', work: Promise<T>): Promise<T> => {
    const stop = metrics.objects.startTimer({ call });
    try {
      const result = await work;
      stop({ outcome: 'done' });
      return result;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  };
  return {
    takesNew: store.takesNew,
    put: async (key, content) => timed('put', store.put(key, content)),
    get: async (key) => timed('get', store.get(key)),
    delete: async (key) => timed('delete', store.delete(key)),
    close: () => store.close(),
  };
}
