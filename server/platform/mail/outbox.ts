import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type DKIMOptions } from 'nodemailer';
import { MailError } from './mail-error.ts';
import { composeMessage, type OutgoingMail } from './outgoing-mail.ts';

interface OutboxOptions {
  directory: string;
  dkim: DKIMOptions | undefined;
}

/**
 * A folder that receives mails instead of a server: one complete .eml file each, named after its Message-ID, so that
 * a mail sent again replaces itself. With Message-IDs made of UUIDs of version 7, the names sort by time.
 */
export function openOutbox({ directory, dkim }: OutboxOptions) {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim,
  });
  return {
    async send(mail: OutgoingMail) {
      const { message: content } = await composer.sendMail(composeMessage(mail));
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
