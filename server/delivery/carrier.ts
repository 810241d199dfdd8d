import type { FastifyInstance } from 'fastify';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { DocumentWithFiles } from '../document/document-file.service.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { DeliverJob } from '../platform/jobs/jobs.ts';
import type { Issuer } from '../company/profile.service.ts';

/**
 * A way to bring documents to recipients. All that differs between ways is here: deliveries are made,
 * leased, tried again and recorded by `deliver.service.ts` and its neighbours, which know no carrier by
 * name. A carrier keeps no state of its own: what it needs is in the `Context`. It is one folder in
 * `carriers/` and one line in `carriers-in-use.service.ts`.
 */
export interface Carrier {
  readonly type: DeliveryType;
  /** The name of its job queue. Each carrier has its own, so that one that hangs holds up no other. */
  readonly job: Job<DeliverJob>;
  /** Whether the operator has set it up. Deliveries of one that is not stay QUEUED. */
  isOn(config: Config): boolean;
  /** How much it takes, and how patient deliveries are with it. */
  limits(config: Config): CarrierLimits;
  /** Where it reaches a buyer; null when the buyer has nothing of the kind. */
  addressOf(buyer: Pick<Buyer, 'email' | 'orgNumber'>): string | null;
  /**
   * Whether the document itself names the address. Then it goes there and nowhere else, whatever the customer's is
   * by now: what names another is another document (bokføringsforskriften § 5-2-7).
   */
  readonly isAddressInDocument: boolean;
  /** The refusal of whoever asks for a delivery to a buyer without an address. */
  readonly withoutAddress: ErrorCode;
  /**
   * The unique name of a delivery at the carrier, the same at every try: a receiver that is handed it
   * twice recognises it.
   */
  keyOf(config: Config, delivery: Pick<CarriedDelivery, 'companyId' | 'uuid'>): string;
  /**
   * The obstacles to registering each of these drafts for this carrier, in their order; null where there is none.
   * Asked in the transaction that registers, and of a draft that is shown, so it asks the database alone. When absent, a buyer needs an address.
   */
  findDraftObstacles?(
    db: Db,
    issuer: Issuer,
    drafts: readonly InvoiceRow[],
  ): Promise<readonly (AppError | null)[]>;
  /** Asks others what `findDraftObstacles` must know of these customers, and waits no longer than it likes to. */
  lookUp?(context: Context, companyId: number, customerIds: readonly number[]): Promise<void>;
  /** How many of a company's drafts that it brings would be registered now, as far as is known. */
  countQueueable?(db: Db, companyId: number): Promise<CountedDrafts>;
  /**
   * The obstacles to handing over each of these, in their order; null where there is none. Asked when
   * deliveries are made and again once one is leased, so it asks the database alone. A check that calls
   * another host belongs to `handOver`, which can answer REFUSED.
   */
  findObstacles(db: Db, deliveries: readonly Addressed[]): Promise<readonly (Obstacle | null)[]>;
  /**
   * Which of these new deliveries may go today; the others it puts off by `deferred_until`. All may
   * when absent.
   */
  allotToday?(
    context: Pick<Context, 'config'>,
    trx: Trx,
    deliveries: readonly NewlyMade[],
  ): Promise<readonly NewlyMade[]>;
  /**
   * Makes what is handed over, before the delivery is leased, and returns what hands it over, once.
   * Throws for what cannot be made: that counts as a try. What takes a call to somebody else, but for the
   * hand-over itself, is done here: a worker that is killed meanwhile leaves no lease.
   */
  prepare(
    context: Context,
    delivery: PreparedDelivery,
    contents: DocumentWithFiles,
  ): HandOver | Promise<HandOver>;
  /**
   * Asks what became of a delivery that it was handed, or may have been. A carrier that has this is
   * asked first at every try after the first, and again after `askAgain` seconds. It must not hand
   * anything over.
   */
  ask?(context: Context, delivery: CarriedDelivery): Promise<Answer | Absent>;
  /** Its own calls of the API: what is asked of it, and where it tells by itself what became of deliveries. */
  routes?(app: FastifyInstance, context: Context): void;
}

/** How many drafts, and what they are for together. */
export interface CountedDrafts {
  readonly drafts: number;
  /** Øre with VAT. */
  readonly gross: number;
}

/** Whom a delivery goes to. */
interface Addressed {
  readonly companyId: number;
  readonly recipient: string;
}

/** A delivery that was made in this transaction. */
export interface NewlyMade extends Addressed {
  readonly id: number;
}

/** Why a delivery may not begin. */
export interface Obstacle {
  /** For whoever asks for it by hand. */
  readonly code: ErrorCode;
  /** In Norwegian, for the screen: the delivery fails with it. */
  readonly reason: string;
}

/** A delivery as its carrier sees it. */
export interface CarriedDelivery extends Addressed {
  readonly id: number;
  readonly invoiceId: number;
  readonly uuid: string;
  readonly carrierKey: string;
  /** The carrier's own name for it; null until it accepted the delivery. */
  readonly carrierReference: string | null;
  /** When it was recorded as SENT; null before. */
  readonly sentTime: Date | null;
}

/** A delivery that is about to be handed over. */
export interface PreparedDelivery extends CarriedDelivery {
  /** The amount due of its invoice now (øre), which may be less than the document says. */
  readonly amountDue: Ore;
}

/** Hands over what was prepared. It should not throw: what does leaves the outcome UNKNOWN. */
export type HandOver = () => Promise<Answer>;

/** Times are in seconds unless they say otherwise. */
export interface CarrierLimits {
  /** Deliveries that one process has under way at once, from their reading to their record. */
  readonly places: number;
  /**
   * How long one call of `handOver` or `ask` may take (milliseconds). A lease lasts twice as long:
   * after it another worker may begin, so whatever the carrier still does with a call that was given
   * up must be over by then.
   */
  readonly timeout: number;
  /** Before the second try; each wait is up to twice the one before it. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** Tries that are NOT_NOW or UNKNOWN before the delivery fails; Infinity where that is no failure. */
  readonly tries: number;
  /** Tries that are BLOCKED or UNDER_WAY before it fails. */
  readonly excusedTries: number;
}

/** A carrier's answer about a delivery. */
export type Answer =
  /** The recipient has it, or whoever answers for the recipient: the delivery is SENT. */
  | ({ readonly kind: 'ACCEPTED' } & Taken)
  /** It is taken, and not known to have arrived: the delivery stays QUEUED and is asked about. */
  | ({ readonly kind: 'UNDER_WAY' } & Taken)
  | Trouble;

interface Taken {
  /** The carrier's own name for it; null when it has none, or gave it before. */
  readonly reference: string | null;
  /**
   * When to ask next, at the earliest (seconds). Without it, what is ACCEPTED is not asked about again,
   * and what is UNDER_WAY is when the next try is due.
   */
  readonly askAgain?: number | undefined;
}

/** Why a try came to nothing. */
export interface Trouble {
  /**
   * - REFUSED: a verdict on this document or recipient, which the next try would get again. Final.
   * - BLOCKED: it would be so for every document, until an operator mends it. Tried again.
   * - NOT_NOW: not taken, for reasons of the moment. Tried again.
   * - UNKNOWN: nobody knows whether it was taken. Tried again; until it is known, it may have arrived.
   */
  readonly kind: 'REFUSED' | 'BLOCKED' | 'NOT_NOW' | 'UNKNOWN';
  /** In Norwegian, for the screen. */
  readonly reason: string;
  /** For the log; an `OutsideError` where the fault is not ours to be reported. */
  readonly error: Error;
  /** When to try next, at the earliest (seconds); as the limits say when absent. */
  readonly askAgain?: number | undefined;
}

/** The carrier does not know it: it can be handed over. */
export interface Absent {
  readonly kind: 'ABSENT';
  /**
   * Whether an earlier try may have arrived all the same, because the carrier cannot be asked before it has said
   * what it calls the delivery. It knows what it is handed twice, and the next try tells. Otherwise it was never
   * handed it, and will not come to have been.
   */
  readonly mayHaveArrived: boolean;
}
