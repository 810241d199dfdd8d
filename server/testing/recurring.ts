import { todayInOslo } from '../../domain/date.ts';
import type { TestClient } from './client.ts';
import { line } from './factories.ts';

/** The API's response for a standing assignment, as far as tests read it. */
export interface AssignmentAnswer {
  readonly uuid: string;
  readonly version: number;
  readonly state: string;
  readonly next_date: string | null;
  readonly waiting_reason: string | null;
}

/** The body of a standing assignment: rent on the first of each month, as drafts. */
export function assignmentBody(changes: object = {}) {
  return {
    name: 'Husleie',
    delivery_type: 'NONE',
    due_days: 14,
    invoice_lines: [line('Husleie {periode}', 9000, 0)],
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    first_date: todayInOslo(),
    ...changes,
  };
}

/** Adds a standing assignment. */
export async function addAssignment(
  client: TestClient,
  changes: object,
): Promise<AssignmentAnswer> {
  const answer = await client.post('/api/invoices/recurring/create/', assignmentBody(changes));
  if (answer.status !== 201) throw new Error(`Set-up got ${answer.status}: ${answer.text}`);
  return answer.body as AssignmentAnswer;
}
