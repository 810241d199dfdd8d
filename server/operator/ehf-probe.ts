import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { todayInOslo } from '../../domain/date.ts';
import { ore } from '../../domain/money.ts';
import { isValidOrgNumber } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import {
  listAgreements,
  type ListedAgreement,
} from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import { renderEhf } from '../document/ehf.ts';
import type { PeppolNetwork } from '../delivery/carriers/ehf/network.ts';
import { PEPPOL_TYPES } from '../delivery/carriers/ehf/participant.ts';
import { OperatorError, UsageError, type OperatorContext, type Output } from './command.ts';

/** How often the status of the test invoice is polled, and the interval (milliseconds). */
const QUESTIONS = 6;
const PAUSE = 5000;

interface Options {
  /** Whether to send a test invoice too. */
  readonly isSent: boolean;
  readonly pause?: number;
}

/**
 * Looks an organisation up in the network, and optionally sends it a test invoice, as an operator does on the first
 * day. Returns 0 when the organisation can receive, or when the invoice was not refused.
 */
export async function probe(
  { config, db, network }: OperatorContext,
  orgNumber: string,
  { isSent, pause = PAUSE }: Options,
  output: Output,
): Promise<number> {
  if (!isValidOrgNumber(orgNumber)) {
    throw new UsageError(`Not an organisation number: ${orgNumber}`);
  }
  if (!network || !config.ehf) throw new OperatorError('ACCESS_POINT is not set.');
  if (isSent && config.ehf.network !== 'test') {
    throw new OperatorError(
      'A test invoice is sent on the test network alone: PEPPOL_NETWORK=test.',
    );
  }
  output.line(`Network ${config.ehf.network}, zone ${config.ehf.zone}`);
  const canReceive = await lookUp(network, orgNumber, output);
  if (!isSent) return canReceive ? 0 : 1;
  const sender = await findSender(db);
  return (await sendTest(network, { sender, receiver: orgNumber, pause }, output)) ? 0 : 1;
}

async function lookUp(
  { lookup }: PeppolNetwork,
  orgNumber: string,
  output: Output,
): Promise<boolean> {
  let canReceive = true;
  for (const type of PEPPOL_TYPES) {
    const answer = await lookup(orgNumber, type);
    output.line(`${orgNumber} ${type}: ${answer.kind}${reasonOf(answer)}`);
    canReceive &&= answer.kind === 'reachable';
  }
  return canReceive;
}

async function findSender(db: Db): Promise<ListedAgreement> {
  const sender = (await listAgreements(db)).find(({ status }) => status === 'ACTIVE');
  if (!sender) throw new OperatorError('No company may send EHF. Approve one first.');
  return sender;
}

interface TestSending {
  readonly sender: ListedAgreement;
  readonly receiver: string;
  readonly pause: number;
}

/** False when it was refused. */
async function sendTest(
  { accessPoint }: PeppolNetwork,
  { sender, receiver, pause }: TestSending,
  output: Output,
): Promise<boolean> {
  const key = randomUUID();
  const xml = Buffer.from(renderEhf(testInvoice(sender, receiver)));
  const { orgNumber, entity } = sender;
  output.line(`Test invoice from ${orgNumber}: ${xml.length} bytes, key ${key}`);
  const names = { sender: orgNumber, receiver, entity };
  const handover = await accessPoint.send({ key, xml, type: 'INVOICE', ...names });
  output.line(`${accessPoint.name}: ${handover.kind}${reasonOf(handover)}`);
  if (handover.kind === 'refused' || handover.kind === 'blocked') return false;
  const reference = handover.kind === 'accepted' ? handover.reference : null;
  for (let question = 1; question <= QUESTIONS; question += 1) {
    await sleep(pause);
    const status = await accessPoint.status({ key, reference });
    output.line(`Status: ${status.kind}${reasonOf(status)}`);
    if (status.kind === 'delivered' || status.kind === 'failed') return status.kind === 'delivered';
  }
  output.line('It is still on its way: ask the access point for the key later.');
  return true;
}

function reasonOf(answer: { readonly kind: string; readonly reason?: string }): string {
  return answer.reason === undefined ? '' : `: ${answer.reason}`;
}

/** One krone without VAT, which nobody has to pay. */
function testInvoice(sender: ListedAgreement, receiver: string): InvoiceDocument {
  const today = todayInOslo();
  const address = { address1: 'Testveien 1', address2: null, postalCode: '0001', city: 'Oslo' };
  return {
    kind: 'INVOICE',
    invoiceNumber: 1,
    issueDate: today,
    dueDate: today,
    deliveryDate: today,
    reference: 'TEST, skal ikke betales',
    kid: null,
    kidModulus: null,
    bankAccountNumber: '00000000000',
    credits: null,
    seller: {
      name: sender.companyName ?? sender.email,
      orgNumber: sender.orgNumber,
      email: sender.email,
      vatRegistered: false,
      foretaksregisteret: false,
      ...address,
    },
    buyer: { customerNumber: 1, name: 'Test', orgNumber: receiver, email: null, ...address },
    lines: [
      { quantity: 1, description: 'Testfaktura', netUnitAmount: ore(100), vatRate: 0, unit: null },
    ],
    message: null,
    logo: null,
  };
}
