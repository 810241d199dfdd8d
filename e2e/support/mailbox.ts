import type { Email } from 'postal-mime';

import { type CaughtMail, loginCodeIn, readMail } from '../../server/testing/mails.ts';
import { startMailServer } from '../../server/testing/smtp-server.ts';
import { eventually } from '../../server/testing/until.ts';

/** Addresses with this prefix have no mailbox. */
const UNKNOWN = 'ukjent';

/** A real SMTP server that keeps its mails. */
export interface Mailbox {
  /** The value for SMTP_URL. */
  readonly url: string;
  /** Waits for the next mail to an address that matches. Returns each mail once. */
  take(address: string, passes?: (mail: CaughtMail) => boolean): Promise<Email>;
  /** The code of the next login mail to an address. */
  takeCode(address: string): Promise<string>;
  /** The code of the next mail that asks for a proof. */
  takeProofCode(address: string): Promise<string>;
  /** Forgets the mails so far, which tests of another file did not take. */
  empty(): void;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const server = await startMailServer();
  const { url, mails, faults } = server;
  faults.refuseRecipient = (address) =>
    address.startsWith(UNKNOWN) ? { code: 550, text: '5.1.1 No such user' } : null;
  const takeCaught = async (address: string, passes: (mail: CaughtMail) => boolean = () => true) =>
    eventually(() => {
      const at = mails.findIndex((mail) => mail.to.includes(address) && passes(mail));
      return at < 0 ? undefined : mails.splice(at, 1)[0];
    }, `a mail to ${address}`);
  return {
    url,
    take: async (address, passes) => readMail(await takeCaught(address, passes)),
    takeCode: async (address) => {
      const isLogin = ({ subject }: CaughtMail) => loginCodeIn(subject) !== undefined;
      return loginCodeIn((await takeCaught(address, isLogin)).subject) ?? '';
    },
    takeProofCode: async (address) => {
      const { text } = await readMail(
        await takeCaught(address, ({ subject }) => subject === 'Bekreft at det er deg'),
      );
      return /\b[A-HJ-NP-Z2-9]{6}\b/.exec(text ?? '')?.[0] ?? '';
    },
    empty: () => void mails.splice(0),
    close: async () => server.close(),
  };
}

/** The link in a mail whose path is the given one. */
export function linkIn(mail: Email, path: string): string {
  const links = mail.text?.match(/https?:\/\/\S+/g) ?? [];
  const found = links.find((link) => new URL(link).pathname === path);
  if (found === undefined) throw new Error(`No link to ${path} in: ${mail.text}`);
  return found;
}
