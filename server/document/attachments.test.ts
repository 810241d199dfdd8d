import { randomBytes } from 'node:crypto';

import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import { sha256 } from '../platform/crypto.ts';
import { type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { RECEIVER, startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../testing/peppol/fake-phoss-ap.ts';
import { until } from '../testing/until.ts';
import { checkLedger } from './ledger.service.ts';
import { typeOfFile } from './attachment-type.ts';

const MB = 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\nTimeliste\n%%EOF\n');
const CSV = Buffer.from('Dato;Timer\r\n01.11.2026;7,5\r\n');
/** A PDF of this size that does not compress. */
const pdfOf = (bytes: number) => Buffer.concat([PDF, randomBytes(bytes - PDF.length)]);

let world: EhfWorld<FakePhossAp>;
let testApp: TestApp;
let client: TestClient;
let draft = '';
const folder = temporaryFolder();

beforeAll(async () => {
  world = await startEhfWorld('phoss-ap', 'vedlegg@example.no', { FEATURES: 'attachments' });
  ({ testApp, client } = world);
});
afterAll(async () => {
  await world.close();
  removeFolder(folder);
});
beforeEach(async () => {
  draft = await createDraft(client, await createCustomer(client));
});

const pathOf = (invoice: string, file = '') =>
  `/api/invoices/${invoice}/attachments/${file && `${file}/`}`;

async function add(content: Buffer, name = 'fil.pdf', invoice = draft): Promise<Answer> {
  return client.send({
    method: 'POST',
    url: `${pathOf(invoice)}?name=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: content,
  });
}

async function list(invoice = draft): Promise<Attachment[]> {
  return (await client.get(pathOf(invoice))).body as Attachment[];
}

async function fetchFile(uuid: string, invoice = draft) {
  const url = pathOf(invoice, uuid);
  return testApp.app.http.inject({ url, headers: { cookie: client.cookieHeader } });
}

/** A photo lying on its side, which says where it was taken. */
async function photo(): Promise<Buffer> {
  return sharp({ create: { width: 90, height: 60, channels: 3, background: '#f00' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 54/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

// DOC-23, DOC-24
describe('a draft', () => {
  test('takes files, lists them, gives them back and lets them go', async () => {
    expect(await list()).toEqual([]);
    const added = await add(PDF, 'Timeliste uke 47.pdf');
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      uuid: expect.any(String) as string,
      name: 'Timeliste uke 47.pdf',
      media_type: 'application/pdf',
      size: PDF.length,
      sha256: sha256(PDF).toString('hex'),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    expect(await list()).toEqual([added.body]);
    await add(CSV, 'timer.csv');
    expect((await list()).map(({ name }) => name)).toEqual(['Timeliste uke 47.pdf', 'timer.csv']);
    const { uuid } = added.body as Attachment;
    const file = await fetchFile(uuid);
    expect(file.rawPayload.equals(PDF)).toBe(true);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="Timeliste uke 47.pdf"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
    expect((await client.delete(pathOf(draft, uuid))).status).toBe(204);
    expect((await client.delete(pathOf(draft, uuid))).status).toBe(404);
    expect((await fetchFile(uuid)).statusCode).toBe(404);
    expect(await list()).toHaveLength(1);
    expect((await client.delete(`/api/invoices/${draft}/`)).status).toBe(204);
  });

  test('keeps its version, so that a form that is open can be saved', async () => {
    const version = async () =>
      ((await client.get(`/api/invoices/${draft}/`)).body as { version: number }).version;
    const before = await version();
    await add(PDF);
    expect(await version()).toBe(before);
  });

  // DOC-25
  test('makes pictures anew: upright, and without what the camera wrote', async () => {
    const original = await photo();
    expect(original.includes('Exif')).toBe(true);
    const { body } = await add(original, 'befaring.jpeg');
    const { uuid, name, mediaType } = { ...(body as Attachment), mediaType: body.media_type };
    expect([name, mediaType]).toEqual(['befaring.jpeg', 'image/jpeg']);
    const { rawPayload } = await fetchFile(uuid);
    const { width, height, exif, format } = await sharp(rawPayload).metadata();
    expect({ width, height, exif, format }).toEqual({
      width: 60,
      height: 90,
      exif: undefined,
      format: 'jpeg',
    });
    const large = await sharp({
      create: { width: 4000, height: 3000, channels: 3, background: '#0a0' },
    })
      .png()
      .toBuffer();
    const png = await fetchFile(((await add(large, 'bilde')).body as Attachment).uuid);
    expect(await sharp(png.rawPayload).metadata()).toMatchObject({ format: 'png', width: 3000 });
    const broken = await add(original.subarray(0, original.length / 2), 'halvt.jpg');
    expect([broken.status, broken.text]).toEqual([415, expect.stringContaining('cannot be read')]);
  });

  test.each([
    ['C:\\Dokumenter\\faktura.pdf', 'faktura.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['rapport.exe', 'rapport.exe.pdf'],
    ['a<b>"c" X: y|?*.PDF', 'a_b__c_ X_ y___.PDF'],
    ['gnp\u202Efdp.pdf', 'gnp_fdp.pdf'],
    ['e\u0301te\u0301.pdf', '\u00E9t\u00E9.pdf'],
    ['.pdf', 'pdf.pdf'],
    [`${'å'.repeat(300)}.pdf`, `${'å'.repeat(96)}.pdf`],
    ['株式会社 😀.pdf', '株式会社 😀.pdf'],
    ['CON.pdf', '_CON.pdf'],
    ['aux', '_aux.pdf'],
  ])('has a safe name for %j', async (given, name) => {
    expect((await add(PDF, given)).body).toMatchObject({ name });
    const again = (await add(PDF, given.toUpperCase())).body as Attachment;
    expect(again.name).toContain(' (2).');
    expect((await fetchFile(again.uuid)).statusCode).toBe(200);
  });

  test('has room for ten files, 5 MB each, and 9 MB in all; nothing is lost on the way', async () => {
    expect((await add(pdfOf(5 * MB + 1))).status).toBe(413);
    expect((await add(pdfOf(5 * MB), 'stor.pdf')).status).toBe(201);
    const refused = await add(pdfOf(4 * MB + 1), 'mer.pdf');
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('9.0 MB; there is room for 5 MB each, and 9 MB in all'),
    ]);
    expect((await add(pdfOf(4 * MB), 'resten.pdf')).status).toBe(201);
    const other = await createDraft(client, await createCustomer(client));
    const together = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => add(PDF, `${index}.pdf`, other)),
    );
    expect(together.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      409,
      409,
    ]);
    expect(await list(other)).toHaveLength(10);
    expect((await list()).map(({ name }) => name)).toEqual(['stor.pdf', 'resten.pdf']);
  });

  test.each([
    ['a web page', '<!doctype html><script>alert(1)</script>', 'side.html'],
    ['a web page that says it is a CSV', ' <html></html>', 'side.csv'],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'tegning.svg'],
    ['SVG that says it is a picture', '<svg onload="alert(1)"/>', 'tegning.png'],
    ['a program', 'MZ\u0090\u0000', 'faktura.pdf'],
    ['a text without an ending', 'a;b', 'liste'],
    ['bytes that say they are a CSV', 'a;b\u0000c', 'liste.csv'],
    ['a PDF behind a web page', `<html>${PDF.toString('latin1')}`, 'faktura.pdf'],
    ['a ZIP that is no workbook', 'PK\u0003\u0004', 'ark.xlsx'],
  ])('refuses %s', async (_, content, name) => {
    const { status, text } = await add(Buffer.from(content, 'latin1'), name);
    expect([status, text]).toEqual([415, expect.stringContaining('must be PDF, PNG, JPEG')]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ['a cut PDF', PDF.subarray(0, -8), 'fil.pdf', 'The PDF is not complete'],
    [
      'a PDF for the web that is cut behind the end in its middle',
      Buffer.concat([PDF, Buffer.from('9 0 obj\n<< /Length')]),
      'fil.pdf',
      'The PDF is not complete',
    ],
    ['a CSV in UTF-16', Buffer.from('\uFEFFDato;Timer', 'utf16le'), 'timer.csv', 'is in UTF-16'],
    ['one without its mark', Buffer.from('Dato;Timer', 'utf16le'), 'timer.csv', 'is in UTF-16'],
  ])('refuses %s, and says why', async (_, content, name, reason) => {
    const { status, text } = await add(content, name);
    expect([status, text]).toEqual([415, expect.stringContaining(reason)]);
  });

  test('takes a PDF behind what a printer or a mail wrote before it, at most 1,024 bytes', async () => {
    const behind = (bytes: number) => Buffer.concat([Buffer.alloc(bytes, '@PJL JOB\r\n'), PDF]);
    expect((await add(behind(1024))).body).toMatchObject({ media_type: 'application/pdf' });
    expect((await add(behind(1025))).status).toBe(415);
  });

  test('is judged by its path before its file is read', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect((await add(Buffer.alloc(0), 'fil.pdf', nowhere)).status).toBe(404);
    for (let index = 0; index < 10; index += 1) await add(CSV, 'timer.csv');
    // An empty file would be 400.
    const { status, text } = await add(Buffer.alloc(0));
    expect([status, text]).toEqual([409, expect.stringContaining('at most ten')]);
  });

  test('says that a refused file is empty', async () => {
    const { status, text } = await add(Buffer.alloc(0), 'tom.pdf');
    expect([status, text]).toEqual([400, expect.stringContaining('The file is empty')]);
    expect(await list()).toEqual([]);
  });

  test('refuses a name of several lines, or none', async () => {
    expect((await add(PDF, 'a\r\nContent-Type: text/html.pdf')).status).toBe(400);
    expect((await add(PDF, ' ')).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  test('belongs to its company alone', async () => {
    const { uuid } = (await add(PDF)).body as Attachment;
    const stranger = await testApp.login('fremmed@example.no');
    await completeProfile(stranger);
    const own = await createDraft(stranger, await createCustomer(stranger));
    for (const invoice of [draft, own]) {
      expect((await stranger.get(pathOf(invoice, uuid))).status).toBe(404);
      expect((await stranger.delete(pathOf(invoice, uuid))).status).toBe(404);
    }
    expect((await stranger.get(pathOf(draft))).status).toBe(404);
    expect((await testApp.visitor().get(pathOf(draft))).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });
});

// DOC-24
describe('a workbook', () => {
  type Files = Readonly<Record<string, string>>;

  /** A ZIP with these files, stored as they are. */
  function zip(files: Files): Buffer {
    const locals: Buffer[] = [];
    const entries = Object.entries(files).map(([name, text]) => {
      const content = Buffer.from(text, 'latin1');
      const at = Buffer.concat(locals).length;
      const local = Buffer.alloc(30);
      local.write('PK\u0003\u0004', 'latin1');
      const entry = Buffer.alloc(46);
      entry.write('PK\u0001\u0002', 'latin1');
      for (const [header, start] of [
        [local, 18],
        [entry, 20],
      ] as const) {
        header.writeUInt32LE(content.length, start);
        header.writeUInt32LE(content.length, start + 4);
        header.writeUInt16LE(name.length, start + 8);
      }
      entry.writeUInt32LE(at, 42);
      locals.push(local, Buffer.from(name), content);
      return Buffer.concat([entry, Buffer.from(name)]);
    });
    const directory = Buffer.concat(entries);
    const end = Buffer.alloc(22);
    end.write('PK\u0005\u0006', 'latin1');
    end.writeUInt16LE(entries.length, 8);
    end.writeUInt16LE(entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(Buffer.concat(locals).length, 16);
    return Buffer.concat([...locals, directory, end]);
  }

  const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (type: string, target: string) =>
    `<Relationships><Relationship Id="r1" Type="${type}" Target="${target}"/></Relationships>`;

  /** An Excel workbook with more files, types and relations than the least. */
  function xlsx(more: Files = {}, types = '', workbook = `${SHEET}.sheet.main+xml`): Buffer {
    return zip({
      '[Content_Types].xml': `<Types><Default Extension="xml" ContentType="application/xml"/>
        <Default Extension="bin" ContentType="${SHEET}.printerSettings"/>
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Override PartName="/xl/workbook.xml" ContentType="${workbook}"/>${types}</Types>`,
      '_rels/.rels': relations(`${OFFICE}/officeDocument`, 'xl/workbook.xml'),
      'xl/workbook.xml': '<workbook/>',
      ...more,
    });
  }

  const ods = (more: Files = {}, entries = '', mimetype = '') =>
    zip({
      mimetype: `application/vnd.oasis.opendocument.spreadsheet${mimetype}`,
      'Configurations2/images/': '',
      'content.xml': '<content/>',
      'Object 1/content.xml': '<content/>',
      'META-INF/manifest.xml': `<manifest xmlns:manifest="m">${entries}
        <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest>`,
      ...more,
    });
  const OLE = '\u00D0\u00CF\u0011\u00E0';
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${type}"/>`;

  test('is taken when it has data alone', async () => {
    expect(await typeOfFile(xlsx(), 'ark')).toBe('xlsx');
    expect(await typeOfFile(ods(), '')).toBe('ods');
    const chart = `${SHEET.replace('spreadsheetml', 'drawingml')}.chart+xml`;
    const more = {
      'xl/printerSettings/printerSettings1.bin': 'H\0P\0',
      'xl/charts/chart1.xml': '<chart/>',
      'xl/worksheets/_rels/sheet1.xml.rels': relations(`${OFFICE}/chart`, '../charts/chart1.xml'),
      'docMetadata/LabelInfo.xml': '<labels/>',
    };
    const types =
      override('xl/charts/chart1.xml', chart) +
      override('docMetadata/LabelInfo.xml', 'application/vnd.ms-office.classificationlabels+xml');
    expect(await typeOfFile(xlsx(more, types), '')).toBe('xlsx');
  });

  const VBA = 'application/vnd.ms-office.vbaProject';
  test.each<[string, Buffer]>([
    ['that is cut', xlsx().subarray(0, -5)],
    ['whose types are missing', zip({ 'xl/workbook.xml': '<workbook/>' })],
    ['of another program', xlsx({}, '', SHEET.replace('spreadsheetml', 'wordprocessingml'))],
    [
      'whose type allows macros',
      xlsx({}, '', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'),
    ],
    ['with macros', xlsx({ 'xl/vbaProject.bin': OLE }, override('xl/vbaProject.bin', VBA))],
    ['with macros of another name', xlsx({ 'xl/vba.dat': 'x' }, override('xl/vba.dat', VBA))],
    [
      'with macros that say they are a picture',
      xlsx({ 'xl/vba.dat': OLE }, override('xl/vba.dat', 'image/png')),
    ],
    [
      'whose relation leads to macros',
      xlsx(
        {
          'xl/vba.xml': '<x/>',
          'xl/_rels/workbook.xml.rels': relations(
            'http://schemas.microsoft.com/office/2006/relationships/vba&#80;roject',
            'vba.xml',
          ),
        },
        '',
      ),
    ],
    [
      'with macros of Excel 4',
      xlsx(
        { 'xl/macrosheets/sheet1.xml': '<x/>' },
        override('xl/macrosheets/sheet1.xml', 'application/vnd.ms-excel.macrosheet+xml'),
      ),
    ],
    ['with an embedded program', xlsx({ 'xl/embeddings/bilag.scr': 'MZ' })],
    [
      'with an embedded program that has a type',
      xlsx(
        { 'xl/embeddings/bilag.scr': 'x' },
        '<Default Extension="scr" ContentType="application/octet-stream"/>',
      ),
    ],
    ['with an embedded file among the settings of printers', xlsx({ 'xl/oleObject1.bin': OLE })],
    [
      'that starts a program by a link',
      xlsx(
        { 'xl/externalLinks/externalLink1.xml': '<externalLink><ddeLink/></externalLink>' },
        override('xl/externalLinks/externalLink1.xml', `${SHEET}.externalLink+xml`),
      ),
    ],
    ['with a document type', xlsx({ '_rels/.rels': '<!DOCTYPE x><Relationships/>' })],
    ['of OpenDocument with Basic', ods({ 'Basic/script-lc.xml': '<x/>' })],
    ['of OpenDocument with a script', ods({ 'Scripts/python/x.py': 'x' })],
    ['of OpenDocument with an embedded object', ods({ 'Object 2': 'x' })],
    ['of OpenDocument with an object for a picture', ods({ 'ObjectReplacements/Object 2': OLE })],
    [
      'of OpenDocument whose list names macros',
      ods(
        {},
        '<manifest:file-entry manifest:media-type="application/vnd.sun.star.basic-library"/>',
      ),
    ],
    ['of OpenDocument that is a template', ods({}, '', '-template')],
  ])('is refused %s', async (_, bytes) => {
    expect(await typeOfFile(bytes, 'ark.xlsx')).toBeNull();
  });
});

describe('a registered invoice', () => {
  // DOC-23, DOC-27
  test('is mailed with 9 MB of files as they were, and keeps them', async () => {
    const email = 'ni-megabyte@example.no';
    const invoice = await createDraft(client, await createCustomer(client, { email }), {
      delivery_type: 'EMAIL',
    });
    const files = [pdfOf(5 * MB), pdfOf(4 * MB - CSV.length), CSV];
    for (const [index, content] of files.entries()) {
      await add(content, index === 2 ? 'timer.csv' : `bilag-${index}.pdf`, invoice);
    }
    const number = await register(client, invoice);
    const mail = await world.smtp.waitForMail(({ to }) => to.includes(email));
    const { attachments, text } = await readMail(mail);
    expect(text).toContain('Vedlagt er også bilag-0.pdf, bilag-1.pdf og timer.csv.');
    const sent = attachments.filter(({ filename }) => !filename?.startsWith('Faktura'));
    expect(sent.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['bilag-0.pdf', 'application/pdf'],
      ['bilag-1.pdf', 'application/pdf'],
      ['timer.csv', 'text/csv'],
    ]);
    const hashes = sent.map(({ content }) => sha256(Buffer.from(content as ArrayBuffer)));
    expect(hashes).toEqual(files.map((content) => sha256(content)));
    const [pdf, ehf] = ['pdf', 'xml'].map((ending) => {
      const named = attachments.find(({ filename }) => filename === `Faktura-${number}.${ending}`);
      return Buffer.from(named?.content as ArrayBuffer);
    });
    expect(ehf?.toString()).toContain('<Invoice');
    expect(ehf?.toString()).not.toContain('EmbeddedDocumentBinaryObject');
    // The EHF is the only file inside the PDF.
    expect(readWithPoppler(folder, pdf ?? Buffer.of()).attachments()).toEqual({
      [`Faktura-${number}.xml`]: ehf?.toString(),
    });

    const { uuid } = (await list(invoice))[0] ?? { uuid: '' };
    expect((await add(PDF, 'sent.pdf', invoice)).status).toBe(409);
    expect((await client.delete(pathOf(invoice, uuid))).status).toBe(409);
    expect((await fetchFile(uuid, invoice)).rawPayload.equals(files[0] ?? PDF)).toBe(true);
    const copy = await createDraft(client, await createCustomer(client));
    expect(await list(copy)).toEqual([]);
    expect((await client.delete(`/api/invoices/${invoice}/`)).status).toBe(204);
    const { credit_note: note } = (await client.get(`/api/invoices/${invoice}/`)).body;
    expect(await list(note.uuid)).toEqual([]);
  });

  // DOC-26
  test('has its files in the text of its document, and the ledger check looks at them', async () => {
    await add(PDF, 'bilag.pdf');
    await register(client, draft);
    const { db } = testApp.context;
    const read = async () => {
      for await (const { email, fault } of checkLedger(db, 'vedlegg@example.no')) {
        expect(email).toBe('vedlegg@example.no');
        return fault;
      }
      return 'no report';
    };
    expect(await read()).toBeNull();
    const { rows } = await sql<{ content: string }>`
      SELECT content FROM document JOIN invoice ON invoice.id = document.invoice_id
      WHERE invoice.uuid = ${draft}`.execute(db);
    expect(rows[0]?.content).toContain(
      `"attachments":[{"mediaType":"application/pdf","name":"bilag.pdf","sha256":"${sha256(PDF).toString('hex')}","size":${PDF.length}}]`,
    );
    // As somebody with the database's password could.
    const exchange = async (content: Buffer) =>
      db.transaction().execute(async (trx) => {
        await sql`ALTER TABLE attachment DISABLE TRIGGER USER`.execute(trx);
        await sql`ALTER TABLE attachment DROP CONSTRAINT attachment_content`.execute(trx);
        await sql`UPDATE attachment SET content = ${content} WHERE sha256 = ${sha256(PDF)}
          AND invoice_id = (SELECT id FROM invoice WHERE uuid = ${draft})`.execute(trx);
        await sql`ALTER TABLE attachment ADD CONSTRAINT attachment_content CHECK (true)`.execute(
          trx,
        );
        await sql`ALTER TABLE attachment ENABLE TRIGGER USER`.execute(trx);
      });
    await exchange(Buffer.from('%PDF-other'));
    expect(await read()).toMatch(/ATTACHMENT is not the one/);
    await exchange(PDF);
    expect(await read()).toBeNull();
  });

  // DOC-27
  test('is sent as EHF with its files and its PDF, and shown so', async () => {
    const invoice = await world.draft(RECEIVER);
    await add(PDF, 'R&D <1>.pdf', invoice);
    await add(await photo(), 'foto.jpg', invoice);
    const number = await register(client, invoice);
    await until(
      async () => world.invoice(invoice),
      ({ delivery_status: status }) => status === 'SENT',
    );
    const xml = world.point.transmissions.at(-1)?.xml ?? '';
    expect([...xml.matchAll(/filename="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      `Faktura-${number}.pdf`,
      'R&amp;D _1_.pdf',
      'foto.jpg',
    ]);
    expect(xml).toContain(`mimeCode="image/jpeg"`);
    expect(xml).toContain(`>${PDF.toString('base64')}<`);
    const shown = await client.get(`/api/invoices/${number}/efaktura/`);
    expect(shown.text).toBe(xml);
    const pdf = /filename="Faktura-\d+\.pdf">([^<]*)</.exec(xml)?.[1] ?? '';
    const { rawPayload } = await testApp.app.http.inject({
      url: `/invoices/${invoice}/pdf/`,
      headers: { cookie: client.cookieHeader },
    });
    expect(Buffer.from(pdf, 'base64').equals(rawPayload)).toBe(true);
  });

  // DOC-28
  test('is not registered when its mail would have more than 20 MB, and is mailed below that', async () => {
    const linesOf = (length: number) =>
      Array.from({ length: 160 }, (_, seed) => ({
        invoiced_quantity: 1,
        // Letters of which no two are alike for long.
        description: Array.from({ length }, (_, at) =>
          String.fromCodePoint(0x4e00 + ((at * 7919 + seed * 104_729 + at * at * 31) % 20_000)),
        ).join(''),
        net_unit_amount: 1,
        vat_rate_percentage: 25,
      }));
    const email = 'alt@example.no';
    const customer = await createCustomer(client, { email });
    const draftOf = async (length: number) =>
      createDraft(client, customer, { delivery_type: 'EMAIL', invoice_lines: linesOf(length) });
    const large = await draftOf(500);
    await add(pdfOf(5 * MB), 'stor.pdf', large);
    const { uuid } = (await add(pdfOf(4 * MB), 'større.pdf', large)).body as Attachment;
    const refused = await client.post(`/api/invoices/queue/?invoice_uuid=${large}`);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringMatching(/The mail would be 2\d\.\d MB; at most 20 MB can be sent/),
    ]);
    const shown = async () => (await client.get(`/api/invoices/${large}/`)).text;
    expect(await shown()).toContain('at most 20 MB can be sent');
    await client.delete(pathOf(large, uuid));
    expect(await shown()).not.toContain('at most 20 MB can be sent');

    const invoice = await draftOf(250);
    await add(pdfOf(5 * MB), 'stor.pdf', invoice);
    await register(client, invoice);
    const { size } = await world.smtp.waitForMail(({ to }) => to.includes(email));
    // The file takes 7 MB, the letters of the font 5 MB, and what is written the rest.
    expect(size).toBeGreaterThan(12 * MB);
    expect(size).toBeLessThan(14.5 * MB);
  });

  test('cannot be registered by a process that does not know of its files', async () => {
    await add(PDF);
    const { db } = testApp.context;
    const issue = sql`
      INSERT INTO document (company_id, kind, invoice_id, version, content, hash)
      SELECT company_id, 'INVOICE', id, 1, '{}', sha256('{}') FROM invoice WHERE uuid = ${draft}`;
    await expect(issue.execute(db)).rejects.toThrow(/without its attachments|chain of documents/);
  });
});
