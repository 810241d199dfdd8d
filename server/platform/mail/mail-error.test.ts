import type { NodemailerError } from 'nodemailer';
import { describe, expect, test } from 'vitest';

import { smtpFailure, sortRefusals } from './mail-error.ts';

type Stage = 'MAIL FROM' | 'RCPT TO' | 'DATA';

/** The error that nodemailer throws for a refusal. */
function refusal(command: Stage, responseCode: number, text: string): NodemailerError {
  const code = command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE';
  const response = `${responseCode} ${text}`;
  return Object.assign(new Error(response), { code, command, responseCode, response });
}

// DEL-16
describe('a refusal', () => {
  test.each<[Stage, number, string]>([
    ['MAIL FROM', 552, '5.3.4 Message size exceeds limit'],
    ['RCPT TO', 550, '5.1.1 No such user'],
    ['RCPT TO', 550, '5.1.10 Recipient not found'],
    ['RCPT TO', 550, '5.2.1 Mailbox disabled'],
    ['RCPT TO', 552, '5.2.2 Mailbox full'],
    ['RCPT TO', 550, '5.4.1 Recipient address rejected: Access denied'],
    ['RCPT TO', 550, 'No such user here'],
    ['RCPT TO', 550, '5.7.124 Sender not in allowed-senders list'],
    ['RCPT TO', 550, '5.7.129 Restricted distribution group'],
    ['DATA', 550, '5.7.133 Sender not authenticated for group'],
    ['DATA', 550, '5.7.134 Sender not authenticated for mailbox'],
    ['DATA', 550, '5.7.135 Sender not authenticated for public folder'],
    ['DATA', 550, '5.7.136 Sender not authenticated for mail user'],
    ['DATA', 550, '5.1.1 No such user'],
    ['DATA', 552, 'Too big'],
    ['DATA', 554, '5.3.4 Too big'],
  ])('is of the mail alone: %s %i %s', (...reply) => {
    const failure = smtpFailure(refusal(...reply), { readToEnd: false });
    expect(failure).toMatchObject({ permanent: true, misconfigured: false, doubt: undefined });
    expect(failure.reason).toContain(`(${reply[1]}`);
  });

  test.each<[Stage, number, string]>([
    ['MAIL FROM', 553, '5.7.1 Not yours'],
    ['MAIL FROM', 550, '5.1.8 Sender domain unknown'],
    ['MAIL FROM', 550, 'No'],
    ['MAIL FROM', 530, '5.7.0 Authentication required'],
    ['RCPT TO', 554, '5.7.1 Relay access denied'],
    ['RCPT TO', 554, 'Relay access denied'],
    ['RCPT TO', 550, '5.7.1 Blocked by policy'],
    ['RCPT TO', 550, '5.4.5 Daily sending quota exceeded'],
    ['RCPT TO', 503, 'Bad sequence of commands'],
    ['DATA', 554, 'Transaction failed'],
    ['DATA', 554, '5.7.1 spam rejected'],
    ['DATA', 554, '5.6.0 Spam'],
    ['DATA', 550, '5.7.26 Unauthenticated mail'],
    ['DATA', 550, '5.3.0 Rejected'],
    ['DATA', 554, 'Message rejected: Email address is not verified'],
  ])('may be the sender’s: %s %i %s', (...reply) => {
    const failure = smtpFailure(refusal(...reply), { readToEnd: false });
    expect(failure).toMatchObject({ permanent: false, misconfigured: false });
    expect(failure.reason).toMatch(/^E-posttjeneren avviste .*\(5\d\d/);
    expect(failure.doubt?.sendersReason).toMatch(/fra oss|avsenderens adresse/);
    expect(failure.doubt?.isQuota).toBe(reply[2].includes('quota'));
  });

  test.each<[Stage, number, string]>([
    ['MAIL FROM', 451, '4.3.0 Try later'],
    ['RCPT TO', 450, '4.7.1 Greylisted'],
    ['DATA', 452, '4.3.1 Disk full'],
  ])('is of the moment: %s %i %s', (...reply) => {
    expect(smtpFailure(refusal(...reply), { readToEnd: false })).toMatchObject({
      permanent: false,
      misconfigured: false,
      doubt: undefined,
    });
  });
});

// DEL-23
test('of the addresses of one mail those that are refused for the moment are tried again', () => {
  const refusals = ([450, 451, 550, 553] as const).map((code) =>
    Object.assign(refusal('RCPT TO', code, 'No'), { recipient: `${code}@example.no` }),
  );
  const { refused, delayed } = sortRefusals(refusals);
  expect(delayed.map(({ address }) => address)).toEqual(['450@example.no', '451@example.no']);
  expect(refused.map(({ address }) => address)).toEqual(['550@example.no', '553@example.no']);
});
