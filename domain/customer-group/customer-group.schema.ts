import { z } from 'zod';

import { customer, customerNumber } from '../customer/customer.schema.ts';
import { requiredText } from '../text.ts';
import { basedOnVersion, version } from '../version.ts';

export const GROUP_SIZE_MAX = 100_000;

/** A group as edited: a name and the numbers of its customers. */
export const customerGroupForm = z.object({
  groupName: requiredText(),
  customers: z.array(customerNumber).max(GROUP_SIZE_MAX),
});

/** A group as saved again. */
export const customerGroupUpdate = customerGroupForm.extend({ version: basedOnVersion });

export const customerGroup = z
  .object({
    uuid: z.uuid(),
    groupName: z.string(),
    customers: z.array(customer),
    version,
  })
  .meta({ id: 'CustomerGroup' });

export const customerGroupParams = z.object({ groupUuid: z.uuid() });

export type CustomerGroup = z.infer<typeof customerGroup>;
export type CustomerGroupForm = z.output<typeof customerGroupForm>;
export type CustomerGroupUpdate = z.output<typeof customerGroupUpdate>;
