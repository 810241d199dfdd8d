import { useQuery } from '@tanstack/react-query';

import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { useRecipientCustomers } from '../editor/recipient-customers.ts';
import { countRecipients, useNamedRecipients } from '../editor/recipients.ts';
import { draftTotals } from '../invoice/line-sums.ts';
import { planFor } from '../invoice/SendingQuestion.tsx';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';

/** The content of an assignment's invoices, from its template as it is now or its own, and what a run makes of it. */
export function useRunPlan(assignment: Assignment) {
  const { templateId } = assignment;
  const recipients = useNamedRecipients(assignment);
  const { customers, withoutEmail, areAll } = useRecipientCustomers(recipients);
  const templates = useQuery({ ...invoiceTemplatesQuery, enabled: templateId !== null });
  const template = templates.data?.find(({ id }) => id === templateId);
  const { deliveryType: type, dueDays } = template ?? assignment;
  const lines = template?.lines ?? assignment.invoiceLines;
  const totals = lines && draftTotals(lines);
  const missing = type === 'EMAIL' && areAll ? withoutEmail : [];
  const count = areAll ? customers.length : countRecipients(recipients);
  const plan = planFor({ count, missing, type, gross: totals?.gross });
  return { recipients, template, type, dueDays, lines, totals, count, missing, plan };
}
