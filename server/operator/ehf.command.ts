import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { todayInOslo } from '../../domain/date.ts';
import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { readableEmail } from '../../domain/email.ts';
import { ore } from '../../domain/money.ts';
import { isValidOrgNumber } from '../../domain/parties.ts';
import {
  approveAgreement,
  listAgreements,
  revokeAgreement,
  type ListedAgreement,
} from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import type { AccessPoint } from '../delivery/carriers/ehf/access-point.ts';
import type { PeppolNetwork } from '../delivery/carriers/ehf/network.ts';
import { PEPPOL_TYPES } from '../delivery/carriers/ehf/participant.ts';
import { endUnderWay } from '../delivery/delivery-housekeeping.service.ts';
import { renderEhf } from '../document/ehf.ts';
import type { Db } from '../platform/db/database.ts';
import { companyOf, type Named } from './company-of.ts';
import {
  commandOf,
  FLAG,
  OperatorError,
  TEXT,
  UsageError,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Manages EHF agreements, and checks the network. */
export const ehfCommand = commandOf({
  usage: `npm run ehf -- list                       who may send EHF, and who has asked
npm run ehf -- approve EMAIL [--entity ID]
                                          let a company send EHF; ID is its legal entity
                                          with Storecove
npm run ehf -- revoke EMAIL               let it no more
npm run ehf -- probe ORGNR [--send]       ask the network whether an organisation takes EHF; with
                                          --send, on the test network, send it a test invoice
                                          from a company that may send, and tell each step
npm run ehf -- end DELIVERY               give up an EHF that never ends; its uuid is in the log and on
                                          the invoice (API). Ask the access point first: a document that
                                          is sent in another way may come twice

EMAIL is an owner's; of one who has several companies, --company UUID says which.
Approve nobody whose organisation number you have not checked: whoever may send, sends in the
name of that number.`,

  options: { entity: TEXT, company: TEXT, send: FLAG },
  actions: {
    list: async (context, _, output) => list(context, output),
    approve: async (context, { word, options: { entity = null, company } }, output) =>
      approve(context, { word, company }, entity, output),
    revoke: async (context, { word, options: { company } }, output) =>
      revoke(context, { word, company }, output),
    probe: async (context, { word = '', options: { send = false } }, output) =>
      probe(context, word, { isSent: send }, output),
    end: async (context, { word = '' }, output) => end(context, word, output),
  },
});

async function list({ db }: OperatorContext, output: Output): Promise<void> {
  const agreements = await listAgreements(db);
  if (agreements.length === 0) output.line('Nobody has asked to send EHF.');
  for (const { status, email, orgNumber, companyName, entity, since } of agreements) {
    const day = todayInOslo(since);
    const parts = [status, day, orgNumber, readableEmail(email), companyName ?? ''];
    output.line([...parts, entity === null ? '' : `entity ${entity}`].join('  ').trimEnd());
  }
}

async function approve(
  { db, config }: OperatorContext,
  named: Named,
  entity: string | null,
  output: Output,
): Promise<void> {
  if (config.ehf?.accessPoint === 'storecove' && entity === null) {
    throw new UsageError('Storecove needs the legal entity of the company: --entity ID');
  }
  if (entity !== null && !/^\d{1,15}$/.test(entity)) {
    throw new UsageError(`Not a legal entity: ${entity}`);
  }
  const { companyId, email } = await companyOf(db, named);
  const answered = await approveAgreement(db, companyId, entity);
  if (answered === 'nothing to answer') {
    throw new OperatorError(`${readableEmail(email)} has not asked for EHF.`);
  }
  // The company may have requested another number since it was looked up.
  output.line(`${readableEmail(email)} may send EHF in the name of ${answered.orgNumber} now.`);
}

async function revoke({ db }: OperatorContext, named: Named, output: Output): Promise<void> {
  const { companyId, email } = await companyOf(db, named);
  const answered = await revokeAgreement(db, companyId);
  if (answered === 'nothing to answer') {
    throw new OperatorError(`${readableEmail(email)} has no agreement to revoke.`);
  }
  output.line(
    `${readableEmail(email)} may not send EHF in the name of ${answered.orgNumber} any more.`,
  );
}

async function end({ db }: OperatorContext, uuid: string, output: Output): Promise<void> {
  if (!z.uuid().safeParse(uuid).success) throw new UsageError('The uuid of a delivery is needed');
  const ended = await endUnderWay(db, uuid.toLowerCase());
  if (ended !== 'ended') throw new OperatorError(NOT_ENDED[ended]);
  output.line('It has failed, and its owner is told. It can be sent by e-mail.');
}

const NOT_ENDED = {
  unknown: 'There is no such delivery by EHF.',
  over: 'It is not under way.',
  held: 'A worker is at it. Try again in some minutes.',
} as const;

/** How often the status of the test invoice is polled, and the interval (milliseconds). */
const QUESTIONS = 6;
const PAUSE = 5000;

interface ProbeOptions {
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
  { isSent, pause = PAUSE }: ProbeOptions,
  output: Output,
): Promise<number> {
  if (!isValidOrgNumber(orgNumber)) {
    throw new UsageError(`Not an organisation number: ${orgNumber}`);
  }
  if (!network || !config.peppol) {
    throw new OperatorError('Neither ACCESS_POINT nor PEPPOL_NETWORK is set.');
  }
  const { name, zone } = config.peppol;
  if (isSent && name !== 'test') {
    throw new OperatorError(
      'A test invoice is sent on the test network alone: PEPPOL_NETWORK=test.',
    );
  }
  const { accessPoint } = network;
  if (isSent && !accessPoint) throw new OperatorError('ACCESS_POINT is not set.');
  output.line(`Network ${name}, zone ${zone}`);
  const canReceive = await lookUp(network, orgNumber, output);
  if (!isSent || !accessPoint) return canReceive ? 0 : 1;
  const sender = await findSender(db);
  return (await sendTest(accessPoint, { sender, receiver: orgNumber, pause }, output)) ? 0 : 1;
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
  accessPoint: AccessPoint,
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
    buyerVatNumber: null,
    deliveryCountry: null,
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
      {
        quantity: 1,
        description: 'Testfaktura',
        netUnitAmount: ore(100),
        vatRate: 0,
        vatTreatment: null,
        unit: null,
        productNumber: null,
      },
    ],
    message: null,
    logo: null,
    vatSubtotals: null,
    quoteNumber: null,
    attachments: null,
  };
}
