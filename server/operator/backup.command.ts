import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';

import { writeBackup } from '../platform/db/backup.ts';
import { readArguments, refuseWords, type Command, type Output } from './command.ts';

/** Characters that are compressed at a time. */
const BLOCK = 256 * 1024;

/** Writes the whole database to one file. */
export const backupCommand: Command = {
  usage: `npm run db:backup -- FILE    write everything that the database holds into a new file,
                             while Faktur runs or not`,
  anyVersion: true,

  async run({ db }, args, output) {
    const { words } = readArguments(args);
    refuseWords(words.slice(1));
    const gzip = createGzip();
    const sent = send(gzip, output);
    // Awaited below; until then a failure shows as an error of the stream.
    sent.catch((error: Error) => gzip.destroy(error));
    const lines = joinLines(gzip);
    try {
      const rows = await writeBackup(db, lines.write);
      await lines.end();
      await sent;
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      output.line(`${total} rows, ${rows['invoice'] ?? 0} of them invoices`);
    } catch (error) {
      gzip.destroy(error as Error);
      // On a full disk, this error says more than the stream's end.
      await sent;
      throw error;
    }
    return 0;
  },
};

async function send(gzip: Gzip, output: Output): Promise<void> {
  for await (const chunk of gzip) await output.bytes(chunk as Buffer);
}

function joinLines(gzip: Gzip) {
  let block = '';
  const flush = async () => {
    if (gzip.errored) throw gzip.errored;
    const hasRoom = gzip.write(block);
    block = '';
    if (!hasRoom) await once(gzip, 'drain');
  };
  return {
    write: async (line: string) => {
      block += `${line}\n`;
      if (block.length >= BLOCK) await flush();
    },
    end: async () => {
      await flush();
      gzip.end();
    },
  };
}
