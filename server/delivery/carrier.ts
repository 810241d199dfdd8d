import type { FastifyInstance } from 'fastify';

import type { DeliveryType, RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
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
import type { Issuer } from '../company/profile.repository.ts';

/**
 * A way to bring documents to recipients, with everything that differs between ways. Making, leasing, retrying and
 * recording deliveries is the same for all (`deliver.service.ts` and its neighbours), and names no carrier. A carrier
 * keeps no state. It is one folder in `carriers/` and one line in `carriers-in-use.service.ts`.
 */
export interface Carrier {
  readonly type: DeliveryType;
  /** Its jobs have a queue of their own, so that a carrier that hangs delays no other. */
  readonly job: Job<DeliverJob>;
  /** Whether the operator has set it up. Until then its deliveries stay QUEUED. */
  isOn(config: Config): boolean;
  /** Its capacity, time limits and retries. */
  limits(config: Config): CarrierLimits;
  /** The buyer's address for this carrier; null when there is none. */
  addressOf(buyer: Pick<Buyer, 'email' | 'orgNumber' | 'invoiceEmails'>): string | null;
  /** The further addresses of a buyer that one delivery reaches. When absent, there are none. */
  copiesOf?(buyer: Pick<Buyer, 'invoiceEmails'>): readonly string[];
  /**
   * Whether the document itself contains the address. It then goes to no other, not even the customer's new one:
   * changing the recipient would alter the document (bokføringsforskriften § 5-2-7).
   */
  readonly isAddressInDocument: boolean;
  /** The refusal for a buyer without an address. */
  readonly withoutAddress: ErrorCode;
  /** Our unique name for a delivery, the same at every try, by which a receiver recognises a second hand-over. */
  keyOf(config: Config, delivery: Pick<CarriedDelivery, 'companyId' | 'uuid'>): string;
  /**
   * For each draft, the obstacle to registering it for this carrier, or null. Called in the transaction that registers,
   * and when a draft is shown, so it may only ask the database. When absent, the buyer needs an address.
   */
  findDraftObstacles?(
    context: Pick<Context, 'config' | 'db'>,
    issuer: Issuer,
    drafts: readonly InvoiceRow[],
  ): Promise<readonly (AppError | null)[]>;
  /** Asks the network what `findDraftObstacles` needs to know about these customers, for a limited time. */
  lookUp?(context: Context, companyId: number, customerIds: readonly number[]): Promise<void>;
  /** Predicts how many of a company's drafts for this carrier would be registered now. */
  countQueueable?(
    context: Pick<Context, 'config' | 'db'>,
    companyId: number,
  ): Promise<CountedDrafts>;
  /**
   * For each delivery, the obstacle to handing it over, or null. Called when deliveries are made and again after the
   * lease, so it may only ask the database. A check that calls another host belongs in the hand-over, which can answer
   * REFUSED.
   */
  findObstacles(db: Db, deliveries: readonly Addressed[]): Promise<readonly (Obstacle | null)[]>;
  /** Returns the new deliveries that may leave today, and defers the others. When absent, all may. */
  allotToday?(
    context: Pick<Context, 'config'>,
    trx: Trx,
    deliveries: readonly NewlyMade[],
  ): Promise<readonly NewlyMade[]>;
  /**
   * Makes the content before the delivery is leased, and returns the function that hands it over once. Throws when it
   * cannot be made; that counts as a try. Calls to other hosts, except the hand-over itself, belong here: a worker that
   * is killed meanwhile leaves no lease.
   */
  prepare(
    context: Context,
    delivery: PreparedDelivery,
    contents: DocumentWithFiles,
  ): HandOver | Promise<HandOver>;
  /**
   * Asks for the status of a delivery that was, or may have been, handed over. Called before every try after the first,
   * and again after `askAgain` seconds. It must not hand anything over.
   */
  ask?(context: Context, delivery: CarriedDelivery): Promise<Answer | Absent>;
  /** Its own endpoints, such as those that receive notices about deliveries. */
  routes?(app: FastifyInstance, context: Context): void;
}

/** A number of drafts and their sum. */
export interface CountedDrafts {
  readonly drafts: number;
  /** Øre with VAT. */
  readonly gross: number;
}

export interface Addressed {
  readonly companyId: number;
  readonly recipient: string;
  /** Further addresses of the same delivery; none when absent. */
  readonly copies?: readonly string[] | undefined;
}

/** A delivery made in this transaction. */
export interface NewlyMade extends Addressed {
  readonly id: number;
}

/** The reason why a delivery may not begin. */
export interface Obstacle {
  /** The refusal of a manual delivery. */
  readonly code: ErrorCode;
  /** The failure reason, in Norwegian, for the screen. */
  readonly reason: string;
}

/** A delivery as its carrier sees it. */
export interface CarriedDelivery extends Addressed {
  readonly id: number;
  readonly invoiceId: number;
  readonly uuid: string;
  readonly carrierKey: string;
  /** The carrier's own reference; null until it accepted the delivery. */
  readonly carrierReference: string | null;
  /** When it was recorded as SENT; null before. */
  readonly sentTime: Date | null;
}

/** A delivery that is about to be handed over. */
export interface PreparedDelivery extends CarriedDelivery {
  /** The addresses that it has yet to reach: all, or those that an earlier try did not. */
  readonly remaining: readonly string[];
  /** The amount due of its invoice now (øre), which may be less than the document says. */
  readonly amountDue: Ore;
  readonly creditedAmount: Ore;
}

/** Hands over the prepared content. An error that it throws leaves the result UNKNOWN. */
export type HandOver = () => Promise<Answer>;

/** Times are in seconds unless they say otherwise. */
export interface CarrierLimits {
  /** Deliveries that one process works on at once, from reading to recording. */
  readonly places: number;
  /**
   * Time limit of one hand-over or `ask` (milliseconds). A lease lasts twice as long. After it another worker may begin,
   * so by then the carrier must have finished a call that we gave up.
   */
  readonly timeout: number;
  /** The wait before the second try; each later one is up to twice the previous one. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** NOT_NOW or UNKNOWN tries before the delivery fails; Infinity when it never fails so. */
  readonly tries: number;
  /** BLOCKED or UNDER_WAY tries before it fails. */
  readonly excusedTries: number;
}

/** A carrier's answer about a delivery. */
export type Answer =
  /** The recipient, or the recipient's provider, has it: the delivery is SENT. */
  | ({ readonly kind: 'ACCEPTED' } & Taken)
  /** The carrier has it, but does not know whether it arrived: the delivery stays QUEUED and is polled. */
  | ({ readonly kind: 'UNDER_WAY' } & Taken)
  | Trouble;

interface Taken {
  /** The carrier's own reference; null when it has none, or gave it before. */
  readonly reference: string | null;
  /** The addresses that did not get it, although another one did. */
  readonly refused?: readonly RefusedAddress[] | undefined;
  /** The addresses that could not get it for the moment, although another one did. They are tried again. */
  readonly delayed?: readonly RefusedAddress[] | undefined;
  /** Shortest time until the next poll (seconds). When absent, ACCEPTED is final, and UNDER_WAY waits for the next try. */
  readonly askAgain?: number | undefined;
}

/** A try that failed. */
export interface Trouble {
  /**
   * - REFUSED: because of this document or recipient, so the next try would be refused too. Final.
   * - BLOCKED: every document would be refused until an operator fixes the cause. Retried.
   * - NOT_NOW: not accepted for a temporary reason. Retried.
   * - UNKNOWN: it is not known whether it was accepted. Retried; until it is known, it may have arrived.
   */
  readonly kind: 'REFUSED' | 'BLOCKED' | 'NOT_NOW' | 'UNKNOWN';
  /** In Norwegian, for the screen. */
  readonly reason: string;
  /** Those of several addresses that were refused for good, whatever becomes of the others. */
  readonly refused?: readonly RefusedAddress[] | undefined;
  /** For the log; an `OutsideError` when the fault is not ours. */
  readonly error: Error;
  /** Shortest time until the next try (seconds); by the limits when absent. */
  readonly askAgain?: number | undefined;
}

/** The carrier does not know the delivery, so it can be handed over. */
export interface Absent {
  readonly kind: 'ABSENT';
  /**
   * Whether an earlier try may have arrived all the same, because the carrier can be asked only by the reference in its
   * answer. It recognises a second hand-over. When false, the carrier never had it.
   */
  readonly mayHaveArrived: boolean;
}
