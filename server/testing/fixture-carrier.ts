import type { Carrier } from '../delivery/carrier.ts';
import { deliverJob } from '../platform/jobs/jobs.ts';

type State = 'TAKEN' | 'ARRIVED' | 'REFUSED' | 'BUSY';

/** A network that accepts documents at once and reports their delivery later. */
export interface FixtureNetwork {
  /** The results of accepted documents, by key. */
  readonly states: Map<string, State>;
  /** The keys of handed-over documents in order, one entry for each hand-over. */
  readonly handedOver: string[];
  /** The result of accepting a document. */
  becomes: State;
  /** The faults of the next hand-overs. */
  trouble: 'AWAY' | 'ANSWER_LOST' | 'BLOCKED' | null;
  /** The recipient that cannot be reached. */
  unreachable: string | null;
}

export const network: FixtureNetwork = {
  states: new Map(),
  handedOver: [],
  becomes: 'TAKEN',
  trouble: null,
  unreachable: null,
};

/** A second carrier, similar to an access point for EHF. */
export const fixtureCarrier: Carrier = {
  type: 'EHF',
  job: deliverJob,
  isOn: () => true,
  limits: () => ({
    places: 2,
    timeout: 1000,
    firstWait: 1,
    longestWait: 1,
    tries: Infinity,
    excusedTries: Infinity,
  }),
  addressOf: ({ orgNumber }) => (orgNumber === null ? null : `0192:${orgNumber}`),
  isAddressInDocument: true,
  withoutAddress: 'delivery_type_unavailable',
  keyOf: (_, { uuid }) => uuid,
  findObstacles: async (_, deliveries) =>
    deliveries.map(({ recipient }) =>
      recipient === network.unreachable
        ? { code: 'delivery_type_unavailable', reason: 'Kunden kan ikke motta EHF' }
        : null,
    ),
  prepare: (_, { carrierKey }, { files }) => {
    if (!files.some(({ format }) => format === 'EHF')) throw new Error('There is no EHF');
    return async () => {
      network.handedOver.push(carrierKey);
      const { trouble } = network;
      network.trouble = null;
      const error = new Error(`The network is in trouble: ${trouble}`);
      if (trouble === 'AWAY') return { kind: 'NOT_NOW', reason: 'Nettverket svarer ikke', error };
      if (trouble === 'BLOCKED') return { kind: 'BLOCKED', reason: 'Ingen avtale', error };
      network.states.set(carrierKey, network.becomes);
      if (trouble === 'ANSWER_LOST') throw error;
      return { kind: 'UNDER_WAY', reference: `network-${carrierKey}` };
    };
  },
  ask: async (_, { carrierKey }) => {
    switch (network.states.get(carrierKey)) {
      case 'TAKEN':
        return { kind: 'UNDER_WAY', reference: null };
      case 'ARRIVED':
        return { kind: 'ACCEPTED', reference: null, askAgain: 3600 };
      case 'BUSY':
        return { kind: 'UNKNOWN', reason: 'Opptatt', error: new Error('429'), askAgain: 600 };
      case 'REFUSED':
        return { kind: 'REFUSED', reason: 'Mottakeren avviste dokumentet', error: new Error('RE') };
      default:
        return { kind: 'ABSENT', mayHaveArrived: false };
    }
  },
};
