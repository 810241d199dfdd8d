import type { PeppolType } from './participant.ts';

/** A document for the network. */
export interface Outgoing {
  /** The delivery's uuid: the same for every attempt, so that none is sent twice. */
  readonly key: string;
  readonly xml: Uint8Array;
  readonly type: PeppolType;
  /** Organisation numbers. */
  readonly sender: string;
  readonly receiver: string;
  /** The sender's name with the provider, where it has one of its own. */
  readonly entity: string | null;
}

/** An access point's answer to a document. */
export type Handover =
  /** It has it; whether it arrives is told by the status. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** A verdict on this document. Final. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** We are refused: login, quota, sender not set up. The operator's affair. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Nobody knows. `retryAfter` in seconds, where the access point said so. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

/** The proof of a transmission, as the access point has it. */
export interface Evidence {
  /** The AS4 message. */
  readonly messageId: string | null;
  /** The receiving access point. */
  readonly receivedBy: string | null;
  /** The transmitted document, where the access point made it itself; null where it sends our bytes. */
  readonly transmitted: Uint8Array | null;
}

/** The state of a document's transmission. */
export type TransmissionStatus =
  /** The access point has never heard of it. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'underway' }
  /** The receiver's access point has given its receipt. */
  | {
      readonly kind: 'delivered';
      /** Asks for the proof, with all that was transmitted; null when it is not to be had now. */
      readonly fetchEvidence: () => Promise<Evidence | null>;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

/** Something that an access point reports by itself. It is kept, and makes the status be asked for. */
export interface NetworkEvent {
  /** Known twice by this. */
  readonly id: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly name: string;
  readonly details: string;
  /** Tells the access point that the event has been kept. */
  acknowledge(): Promise<void>;
}

/**
 * The one door to the network. An access point makes envelopes, finds receivers and transmits; it never
 * gets one document twice under two keys.
 */
export interface AccessPoint {
  /** The name of its kind, as in ACCESS_POINT. */
  readonly name: string;
  /** Whether a document that is sent again with its key is transmitted once all the same. */
  readonly knowsKeys: boolean;
  /** How long a try may take (milliseconds). */
  readonly timeLimit: number;
  send(document: Outgoing): Promise<Handover>;
  status(sent: {
    readonly key: string;
    readonly reference: string | null;
  }): Promise<TransmissionStatus>;
  /** The next event that waits, or null; absent where nothing is reported. */
  nextEvent?(): Promise<NetworkEvent | null>;
}
