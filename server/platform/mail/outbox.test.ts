import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMail } from '../../testing/mails.ts';
import { createMailer } from './mailer.ts';
import { messageIdOf, type OutgoingMail } from './outgoing-mail.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outbox-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function mail(uuid: string, subject = 'Påminnelse'): OutgoingMail {
  return {
    from: { name: 'Faktur', address: 'faktura@example.no' },
    to: { address: 'kari@example.no' },
    subject,
    text: 'Hei på deg!',
    html: '<p>Hei på deg!</p>',
    messageId: messageIdOf(uuid, { publicUrl: 'https://example.no' }),
    attachments: [
      { filename: 'Faktura-1.pdf', contentType: 'application/pdf', content: new Uint8Array(9) },
    ],
  };
}

describe('the outbox', () => {
  it('stores each mail as a file that mail programs open', async () => {
    const outboxDir = join(folder, 'not', 'yet', 'there');
    const mailer = createMailer({ smtpUrl: null, outboxDir });
    const { response, serverId } = await mailer.send(mail('a1'));
    await mailer.close();

    expect(response).toBe(join(outboxDir, 'a1@example.no.eml'));
    expect(serverId).toBeNull();
    const content = await readFile(response);
    expect(content.toString('latin1')).not.toMatch(/[^\r]\n/);
    expect(await readMail(content)).toMatchObject({
      subject: 'Påminnelse',
      text: 'Hei på deg!\n',
      to: [{ address: 'kari@example.no' }],
      attachments: [{ filename: 'Faktura-1.pdf' }],
    });
  });

  it('stores a mail that is sent again once, in its last form', async () => {
    const mailer = createMailer({ smtpUrl: null, outboxDir: folder });
    await mailer.send(mail('a1', 'Første'));
    await Promise.all([
      mailer.send(mail('a1', 'Andre')),
      mailer.send(mail('a1', 'Andre')),
      mailer.send(mail('a2')),
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(['a1@example.no.eml', 'a2@example.no.eml']);
    expect(await readMail(await readFile(join(folder, 'a1@example.no.eml')))).toMatchObject({
      subject: 'Andre',
    });
  });

  it('sorts by time when the identifiers do', async () => {
    const mailer = createMailer({ smtpUrl: null, outboxDir: folder });
    const early = '019a0000-0000-7000-8000-ffffffffffff';
    const late = '019b0000-0000-7000-8000-000000000000';
    await mailer.send(mail(late));
    await mailer.send(mail(early));
    expect((await readdir(folder)).toSorted()).toEqual([
      `${early}@example.no.eml`,
      `${late}@example.no.eml`,
    ]);
  });

  it('reports an unwritable disk as a temporary failure', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const mailer = createMailer({ smtpUrl: null, outboxDir: file });
    await expect(mailer.send(mail('a1'))).rejects.toMatchObject({
      name: 'MailError',
      permanent: false,
      reason: 'E-posten kunne ikke lagres i utboksen.',
    });
  });
});
