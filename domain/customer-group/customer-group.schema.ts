import { z } from 'zod';

import { customer, customerNumber } from '../customer/customer.schema.ts';
import { requiredText } from '../text.ts';
import { basedOnVersion, version } from '../version.ts';

export const GROUP_SIZE_MAX = 100_000;
/** Members shown for each group of a list. */
export const LISTED_MEMBERS_MAX = 100;

/** Input for a new group: a name and the numbers of its customers. */
export const customerGroupForm = z.object({
  groupName: requiredText(),
  customers: z.array(customerNumber).max(GROUP_SIZE_MAX),
});

/** Input for an existing group. */
export const customerGroupUpdate = customerGroupForm.extend({ version: basedOnVersion });

export const customerGroup = z
  .object({
    uuid: z.uuid(),
    groupName: z.string(),
    customerCount: z.number().int().meta({ description: 'How many customers are in the group' }),
    customers: z
      .array(customer)
      .meta({ description: 'By number; in a list of groups at most the first 100 of each' }),
    version,
  })
  .meta({ id: 'CustomerGroup' });

export const customerGroupParams = z.object({ groupUuid: z.uuid() });

export type CustomerGroup = z.infer<typeof customerGroup>;
export type CustomerGroupForm = z.output<typeof customerGroupForm>;
export type CustomerGroupUpdate = z.output<typeof customerGroupUpdate>;
