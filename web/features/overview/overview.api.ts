import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { IsoDate } from '../../../domain/date.ts';
import { getOverview } from '../../../domain/overview/overview.endpoints.ts';
import { ask } from '../../lib/ask.ts';

/** The figures of the year of a day. The previous figures are shown until the new ones arrive. */
export function overviewQuery(asOf: IsoDate) {
  return queryOptions({
    ...ask('overview', getOverview, { query: { asOf } }),
    placeholderData: keepPreviousData,
  });
}
