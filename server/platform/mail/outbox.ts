import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createTransport, type DKIMOptions } from 'nodemailer';

import { requestContext } from '../log/log.ts';
import { MailError } from './mail-error.ts';
import { composeMessage, type OutgoingMail } from './outgoing-mail.ts';

/** Says in a file of the outbox whose mail it is. A mail server never sees it. */
const COMPANY_HEADER = 'X-Faktur-Company';

/**
 * A folder that receives mails instead of a server: one complete .eml file each, named after its Message-ID, so that
 * a mail sent again replaces itself. With Message-IDs made of UUIDs of version 7, the names sort by time.
 */
export function openOutbox(directory: string, dkim: DKIMOptions | undefined) {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim,
  });
  return {
    async send(mail: OutgoingMail) {
      const { message: content } = await composer.sendMail(composeMessage(withCompany(mail)));
      const path = join(directory, outboxFileName(mail.messageId));
      try {
        await writeAtomically(directory, path, content as Buffer);
      } catch (error) {
        throw new MailError(`The outbox could not be written: ${String(error)}`, {
          permanent: false,
          reason: 'E-posten kunne ikke lagres i utboksen.',
          cause: error,
        });
      }
      return { response: path, serverId: null };
    },
    close: async (): Promise<void> => Promise.resolve(),
  };
}

/** A mail's file name in the outbox: `<id@example.no>` → `id@example.no.eml`. */
function outboxFileName(messageId: string): string {
  return `${messageId.slice(1, -1)}.eml`;
}

let writes = 0;

// A reader never sees a partial mail, and a mail reported as sent survives a power cut.
async function writeAtomically(directory: string, path: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draft = `${path}.${process.pid}-${++writes}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a folder to sync it.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function withCompany(mail: OutgoingMail): OutgoingMail {
  const companyId = requestContext.getStore()?.mailsOf;
  if (companyId === undefined) return mail;
  return { ...mail, headers: { ...mail.headers, [COMPANY_HEADER]: String(companyId) } };
}

/** Removes the mails of a company from an outbox. @returns how many */
export async function removeFromOutbox(directory: string, companyId: number): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const mark = `\r\n${COMPANY_HEADER}: ${companyId}\r\n`;
  let removed = 0;
  for (const name of names.filter((one) => one.endsWith('.eml'))) {
    const path = join(directory, name);
    // Each header begins a line, also the first one.
    const text = `\r\n${await readFile(path, 'latin1')}`;
    // The headers alone: a mail may quote others.
    if (!text.slice(0, text.indexOf('\r\n\r\n', 2) + 2).includes(mark)) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
