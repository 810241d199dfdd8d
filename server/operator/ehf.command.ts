import { z } from 'zod';

import { todayInOslo } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { endUnderWay } from '../delivery/delivery-record.service.ts';
import {
  approveAgreement,
  listAgreements,
  revokeAgreement,
} from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import {
  noAccount,
  OperatorError,
  readAction,
  readEmail,
  unknownAction,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';
import { probe } from './ehf-probe.ts';

/** Manages EHF agreements, and checks the network. */
export const ehfCommand: Command = {
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

Approve nobody whose organisation number you have not checked: whoever may send, sends in the
name of that number.`,

  async run(context, args, output) {
    const { action, word, options, flags } = readAction(args, ['entity'], ['send']);
    switch (action) {
      case 'list':
        return list(context, output);
      case 'approve':
        return approve(context, readEmail(word), options.entity ?? null, output);
      case 'revoke':
        return revoke(context, readEmail(word), output);
      case 'probe':
        return probe(context, word ?? '', { isSent: flags.has('send') }, output);
      case 'end':
        return end(context, word ?? '', output);
      default:
        throw unknownAction(action);
    }
  },
};

async function list({ db }: OperatorContext, output: Output): Promise<number> {
  const agreements = await listAgreements(db);
  if (agreements.length === 0) output.line('Nobody has asked to send EHF.');
  for (const { status, email, orgNumber, companyName, entity, since } of agreements) {
    const day = todayInOslo(since);
    const parts = [status, day, orgNumber, readableEmail(email), companyName ?? ''];
    output.line([...parts, entity === null ? '' : `entity ${entity}`].join('  ').trimEnd());
  }
  return 0;
}

async function approve(
  { db, config }: OperatorContext,
  email: string,
  entity: string | null,
  output: Output,
): Promise<number> {
  if (config.ehf?.accessPoint === 'storecove' && entity === null) {
    throw new UsageError('Storecove needs the legal entity of the company: --entity ID');
  }
  if (entity !== null && !/^\d{1,15}$/.test(entity)) {
    throw new UsageError(`Not a legal entity: ${entity}`);
  }
  const answered = await approveAgreement(db, email, entity);
  if (answered === 'no account') throw noAccount(email);
  if (answered === 'nothing to answer') {
    throw new OperatorError(`${readableEmail(email)} has not asked for EHF.`);
  }
  // The company may have requested another number since it was looked up.
  output.line(`${readableEmail(email)} may send EHF in the name of ${answered.orgNumber} now.`);
  return 0;
}

async function revoke({ db }: OperatorContext, email: string, output: Output): Promise<number> {
  const answered = await revokeAgreement(db, email);
  if (answered === 'no account') throw noAccount(email);
  if (answered === 'nothing to answer') {
    throw new OperatorError(`${readableEmail(email)} has no agreement to revoke.`);
  }
  output.line(
    `${readableEmail(email)} may not send EHF in the name of ${answered.orgNumber} any more.`,
  );
  return 0;
}

async function end({ db }: OperatorContext, uuid: string, output: Output): Promise<number> {
  if (!z.uuid().safeParse(uuid).success) throw new UsageError('The uuid of a delivery is needed');
  const ended = await endUnderWay(db, uuid.toLowerCase());
  if (ended !== 'ended') throw new OperatorError(NOT_ENDED[ended]);
  output.line('It has failed, and its owner is told. It can be sent by e-mail.');
  return 0;
}

const NOT_ENDED = {
  unknown: 'There is no such delivery by EHF.',
  over: 'It is not under way.',
  held: 'A worker is at it. Try again in some minutes.',
} as const;
