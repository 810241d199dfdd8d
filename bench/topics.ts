import { measureApi } from './api.topic.ts';
import { measureDocuments } from './documents.topic.ts';
import { measureDelivery } from './delivery.topic.ts';
import type { Figure } from './figure.ts';
import { measurePayments } from './payments.topic.ts';
import { measureRegistration } from './registration.topic.ts';
import { measureSizes } from './sizes.topic.ts';
import { measureTenants } from './tenants.topic.ts';
import { measureWays } from './ways.topic.ts';
import type { Harness } from './harness.ts';

/** A group of measurements. */
export interface Topic {
  readonly name: string;
  readonly about: string;
  /** Takes minutes, so it runs only when named. */
  readonly isLong?: boolean;
  readonly measure: (harness: Harness) => Promise<Figure[]>;
}

export const TOPICS: readonly Topic[] = [
  { name: 'api', about: 'list, read, create, queue over HTTP', measure: measureApi },
  { name: 'sizes', about: 'the list with a thousand to a million invoices', measure: measureSizes },
  { name: 'registration', about: 'ten thousand drafts in one call', measure: measureRegistration },
  {
    name: 'payments',
    about: 'a bank file of five thousand payments, from its upload to the books',
    measure: measurePayments,
  },
  { name: 'documents', about: 'PDF beside a browser, and EHF', measure: measureDocuments },
  {
    name: 'delivery',
    about: 'ten thousand invoices mailed with PDF and EHF',
    isLong: true,
    measure: measureDelivery,
  },
  {
    name: 'tenants',
    about: 'an installation of many companies beside one with a single company',
    isLong: true,
    measure: measureTenants,
  },
  { name: 'ways', about: 'how many of our files a use case passes', measure: measureWays },
];

/** The topics with these names; without names, all that are not long. @throws Error for an unknown name */
export function findTopics(names: readonly string[]): readonly Topic[] {
  if (names.length === 0) return TOPICS.filter((topic) => topic.isLong !== true);
  return names.map((name) => {
    const topic = TOPICS.find((known) => known.name === name);
    if (!topic) {
      throw new Error(`No topic '${name}': there are ${TOPICS.map((it) => it.name).join(', ')}`);
    }
    return topic;
  });
}
