import { z } from 'zod/mini';

import { urlNumber } from './validation.ts';

/** Things on a page of a list, unless the call may choose (WIRE-10). */
export const PAGE_SIZE = 20;

const PAGE_MAX = 1_000_000;

/** The number of a page in a query, from 1. */
export const pageNumber = z._default(urlNumber(PAGE_MAX), 1);
