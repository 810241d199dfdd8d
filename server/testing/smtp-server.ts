import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { localhostCertificate } from './certificates.ts';
import { catchMail, type CaughtMail } from './mails.ts';

export interface SmtpReply {
  readonly code: number;
  /** The text of the reply, such as '5.1.1 No such user'. */
  readonly text: string;
}

/** The faults of the server. May be changed at any time; applies from the next command on. */
interface SmtpFaults {
  /** The delay before the greeting (milliseconds). */
  greetingDelay: number;
  /** The delay before a mail is accepted, for all mails or by mail: milliseconds, or a promise to wait for. */
  acceptDelay: number | ((mail: CaughtMail) => number | Promise<void>);
  /** The reply to MAIL FROM. */
  refuseSender: SmtpReply | null;
  /** The reply to RCPT TO for chosen addresses. */
  refuseRecipient: ((address: string) => SmtpReply | null) | null;
  /** Cuts the connection at RCPT TO for chosen addresses. */
  hangUpOn: ((address: string) => boolean) | null;
  /** Accepts mails to chosen addresses, and cuts the connection instead of replying. */
  loseAnswerTo: ((address: string) => boolean) | null;
  /** The reply that refuses a mail after its last byte, for all mails or by mail. */
  refuseMail: SmtpReply | ((mail: CaughtMail) => SmtpReply | null) | null;
  /** The number of next mails that are accepted without a reply, with the connection cut. */
  dropAfterData: number;
  /** The number of next DATA commands during which the connection is cut. */
  dropDuringData: number;
}

export interface SmtpServerOptions {
  /** A free port when absent. To restart after a failure, give the previous port. */
  port?: number;
  encryption?: 'none' | 'starttls' | 'tls';
  login?: { user: string; password: string };
  /** Keeps only the header of each mail, for tests with thousands of mails. */
  headersOnly?: boolean;
  smtpUtf8?: boolean;
}

export interface MailServer {
  /** The value for SMTP_URL, including the login if any. */
  readonly url: string;
  readonly port: number;
  /** The accepted mails, oldest first. */
  readonly mails: CaughtMail[];
  readonly faults: SmtpFaults;
  /** Waits for the first mail that matches, among earlier and later ones. @throws Error after the timeout */
  waitForMail(fits: (mail: CaughtMail) => boolean, timeout?: number): Promise<CaughtMail>;
  /** Cuts every connection and refuses new ones. */
  close(): Promise<void>;
}

const POLL = 20;

/** Starts an SMTP server on 127.0.0.1 that keeps its mails and has configurable faults. */
export async function startMailServer(options: SmtpServerOptions = {}): Promise<MailServer> {
  const faults: SmtpFaults = {
    greetingDelay: 0,
    acceptDelay: 0,
    refuseSender: null,
    refuseRecipient: null,
    hangUpOn: null,
    loseAnswerTo: null,
    refuseMail: null,
    dropAfterData: 0,
    dropDuringData: 0,
  };
  const mails: CaughtMail[] = [];
  const server = smtpServer(options, faults, mails);
  // Many tests have clients that disconnect in the middle.
  server.on('error', () => undefined);
  const listening = server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const { user, password } = options.login ?? {};
  const credentials = user === undefined ? '' : `${user}:${encodeURIComponent(password ?? '')}@`;
  return {
    url: `${options.encryption === 'tls' ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}`,
    port,
    mails,
    faults,
    async waitForMail(fits, timeout = 240_000) {
      for (const deadline = Date.now() + timeout; ; await sleep(POLL)) {
        const mail = mails.find(fits);
        if (mail) return mail;
        if (Date.now() > deadline) throw new Error(`No such mail among ${mails.length} in time`);
      }
    },
    async close() {
      const closed = once(listening, 'close');
      server.close();
      for (const connection of server.connections) connection._socket.destroy();
      await closed;
    },
  };
}

function smtpServer(options: SmtpServerOptions, faults: SmtpFaults, mails: CaughtMail[]) {
  const encryption = options.encryption ?? 'none';
  const server: SMTPServer = new SMTPServer({
    ...localhostCertificate,
    secure: encryption === 'tls',
    hideSTARTTLS: encryption !== 'starttls',
    hideSMTPUTF8: options.smtpUtf8 === false,
    disabledCommands: options.login ? [] : ['AUTH'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const known = username === options.login?.user && password === options.login?.password;
      if (known) callback(null, { user: username });
      else callback(refusal({ code: 535, text: '5.7.8 Authentication failed' }));
    },
    onConnect(_session, callback) {
      setTimeout(callback, faults.greetingDelay);
    },
    onMailFrom(_address, _session, callback) {
      callback(faults.refuseSender && refusal(faults.refuseSender));
    },
    onRcptTo({ address }, session, callback) {
      if (faults.hangUpOn?.(address)) {
        cut(server, session);
        return;
      }
      const reply = faults.refuseRecipient?.(address);
      callback(reply ? refusal(reply) : null);
    },
    onData(stream, session, callback) {
      const cutLine = () => cut(server, session);
      if (faults.dropDuringData > 0) {
        faults.dropDuringData -= 1;
        stream.resume();
        cutLine();
        return;
      }
      const mail = catchMail(stream, session, options.headersOnly ?? false);
      void judge(mail, { faults, mails, cutLine, answer: callback });
    },
  });
  return server;
}

interface Line {
  faults: SmtpFaults;
  mails: CaughtMail[];
  cutLine: () => void;
  answer: (error: Error | null) => void;
}

async function judge(receiving: Promise<CaughtMail>, line: Line): Promise<void> {
  const { faults, mails, cutLine, answer } = line;
  try {
    const mail = await receiving;
    const { acceptDelay } = faults;
    const delay = typeof acceptDelay === 'number' ? acceptDelay : acceptDelay(mail);
    if (typeof delay !== 'number') await delay;
    else if (delay > 0) await sleep(delay);
    const { refuseMail } = faults;
    const reply = typeof refuseMail === 'function' ? refuseMail(mail) : refuseMail;
    if (reply) {
      answer(refusal(reply));
      return;
    }
    mails.push(mail);
    const isLost = faults.dropAfterData > 0 || mail.to.some((to) => faults.loseAnswerTo?.(to));
    faults.dropAfterData = Math.max(0, faults.dropAfterData - 1);
    if (isLost) cutLine();
    answer(null);
  } catch {
    // The client disconnected in the middle of its mail.
    cutLine();
  }
}

function cut(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) {
    if (connection.id === session.id) connection._socket.destroy();
  }
}

function refusal({ code, text }: SmtpReply): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
