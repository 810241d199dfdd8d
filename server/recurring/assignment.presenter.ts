import type {
  Assignment,
  AssignmentRun,
  MadeInvoice,
} from '../../domain/recurring/recurring.schema.ts';
import { presentQuantity } from '../../domain/invoice/invoice.totals.ts';
import { oreToKroner } from '../../domain/money.ts';
import { AppError, type ErrorCode, type Language, sentenceOf } from '../errors.ts';
import type { WholeAssignment } from './assignment.repository.ts';
import { reasonOf } from './notice.service.ts';
import type { MadeInvoiceRow, WholeRun } from './run.repository.ts';
import { seriesOf } from './series.ts';

/** An assignment as the API shows it. */
export function presentAssignment(row: WholeAssignment, language: Language): Assignment {
  const obstacle = obstacleOf(row);
  return {
    uuid: row.uuid,
    name: row.name,
    customerNumbers: [...row.customerNumbers],
    customerCount: row.customerCount,
    groupUuid: row.groupUuid,
    templateId: row.templateId,
    deliveryType: row.deliveryType,
    dueDays: row.dueDays,
    invoiceLines: row.byTemplate ? null : row.lines.map(presentLine),
    message: row.message,
    ...seriesOf(row),
    mode: row.mode,
    state: row.state,
    nextDate: row.nextDate,
    hasRun: row.timesMade > 0 || row.isRunning,
    waitingReason: obstacle === null ? null : sentenceOf(new AppError(obstacle), language),
    version: row.version,
  };
}

/** Why the last run made nothing; for an active assignment, why the next run will make nothing. */
function obstacleOf(row: WholeAssignment): ErrorCode | null {
  if (row.obstacle !== null) return row.obstacle as ErrorCode;
  if (row.state !== 'ACTIVE') return null;
  if (row.byGroup && row.groupUuid === null) return 'assignment_group_deleted';
  return row.byTemplate && row.templateId === null ? 'assignment_template_deleted' : null;
}

function presentLine(line: WholeAssignment['lines'][number]) {
  return {
    ...presentQuantity(line),
    description: line.description,
    netUnitAmount: oreToKroner(line.netUnitAmount),
    vatRatePercentage: line.vatRate,
  };
}

function presentMade({ lastDelivery, ...row }: MadeInvoiceRow): MadeInvoice {
  return {
    ...row,
    grossAmount: oreToKroner(row.grossAmount),
    paidAmount: oreToKroner(row.paidAmount),
    deliveries: lastDelivery === null ? [] : [lastDelivery],
  };
}

/** A run as the API shows it. */
export function presentRun(run: WholeRun, language: Language): AssignmentRun {
  return {
    periodFrom: run.periodFrom,
    periodTo: run.periodTo,
    date: run.runOn,
    invoices: run.invoices.map(({ uuid }) => uuid),
    made: run.invoices.map(presentMade),
    invoiceCount: run.invoiceCount,
    recipientCount: run.recipientCount,
    lostCustomers: [...run.lostCustomers],
    failures: run.failures.map((failure) => ({
      customerNumber: failure.customerNumber,
      customerDeleted: failure.customerDeleted,
      message: sentenceOf(reasonOf(failure), language),
    })),
    mode: run.mode,
    state: run.finishedAt === null ? 'RUNNING' : 'DONE',
  };
}
