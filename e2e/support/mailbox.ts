import { Readable } from 'node:stream';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { eventually } from './eventually.ts';

/** Six characters without look-alikes, as login codes are. */
const CODE = /\b[A-HJ-NP-Z2-9]{6}\b/;

/** Addresses that begin so have no mailbox. */
const UNKNOWN = 'ukjent';

/** A real SMTP server that keeps what it is given. */
export interface Mailbox {
  /** For SMTP_URL. */
  readonly url: string;
  /** The next mail to an address that passes; waits for it, and hands each out once. */
  take(address: string, passes?: (mail: Email) => boolean): Promise<Email>;
  /** The code of the next login mail to an address. */
  takeCode(address: string): Promise<string>;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      done(address.startsWith(UNKNOWN) ? noSuchUser() : null);
    },
    onData: (stream, _session, done) => {
      void keep(stream, mails, done);
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const take: Mailbox['take'] = async (address, passes = () => true) =>
    eventually(() => {
      const at = mails.findIndex((mail) => isTo(mail, address) && passes(mail));
      return at < 0 ? undefined : mails.splice(at, 1)[0];
    }, `a mail to ${address}`);
  return {
    url: `smtp://127.0.0.1:${port}`,
    take,
    takeCode: async (address) => {
      const mail = await take(address, (candidate) => codeIn(candidate) !== undefined);
      return codeIn(mail) ?? '';
    },
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** The link in a mail whose path is the given one. */
export function linkIn(mail: Email, path: string): string {
  const links = mail.text?.match(/https?:\/\/\S+/g) ?? [];
  const found = links.find((link) => new URL(link).pathname === path);
  if (found === undefined) throw new Error(`No link to ${path} in: ${mail.text}`);
  return found;
}

async function keep(
  stream: Readable,
  mails: Email[],
  done: (error?: Error | null) => void,
): Promise<void> {
  mails.push(await PostalMime.parse(Readable.toWeb(stream) as ReadableStream));
  done();
}

function noSuchUser(): Error {
  return Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 });
}

function isTo(mail: Email, address: string): boolean {
  return mail.to?.some((recipient) => recipient.address === address) ?? false;
}

function codeIn(mail: Email): string | undefined {
  return mail.text?.match(CODE)?.[0];
}
