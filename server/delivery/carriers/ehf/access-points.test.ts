import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startFakePhossAp, type FakePhossAp } from '../../../testing/peppol/fake-phoss-ap.ts';
import { startFakeStorecove, type FakeStorecove } from '../../../testing/peppol/fake-storecove.ts';
import type { AccessPoint, Outgoing } from './access-point.ts';
import { createPhossAp } from './phoss-ap.ts';
import { createStorecove } from './storecove.ts';

const RECEIVER = '974760673';
const XML = '<Invoice xmlns="urn:oasis">æøå</Invoice>';

function outgoing(more: Partial<Outgoing> = {}): Outgoing {
  return {
    key: randomUUID(),
    xml: Buffer.from(XML),
    type: 'INVOICE',
    sender: '923609016',
    receiver: RECEIVER,
    entity: '4711',
    ...more,
  };
}

const sentAs = ({ key }: Outgoing) => ({ key, reference: null });
const NOBODY_KNOWS = { kind: 'unknown', reason: expect.any(String), retryAfter: null };

describe('phoss-ap', () => {
  let fake: FakePhossAp;
  let point: AccessPoint;

  beforeEach(async () => {
    fake = await startFakePhossAp();
    point = createPhossAp(fake);
  });

  afterEach(async () => fake.close());

  test('gets the bytes as they are, with our key, and tells the receipt', async () => {
    const document = outgoing();
    expect(await point.status(sentAs(document))).toEqual({ kind: 'absent' });
    expect(await point.send(document)).toEqual({ kind: 'accepted', reference: document.key });
    expect(fake.transmissions).toMatchObject([
      {
        key: document.key,
        receiver: RECEIVER,
        sender: 'iso6523-actorid-upis::0192:923609016',
        xml: XML,
      },
    ]);
    expect(await point.status(sentAs(document))).toMatchObject({ kind: 'delivered' });
  });

  test('is said to send twice what is posted twice', async () => {
    const document = outgoing();
    await point.send(document);
    await point.send(document);
    expect(point.knowsKeys).toBe(false);
    expect(fake.transmissions).toHaveLength(2);
  });

  test('that reports a failed attempt may deliver it yet', async () => {
    const document = outgoing();
    fake.outcomes.set(RECEIVER, 'retried');
    expect(await point.send(document)).toEqual(NOBODY_KNOWS);
    expect(await point.status(sentAs(document))).toEqual({ kind: 'underway' });
    fake.retry();
    expect(await point.status(sentAs(document))).toMatchObject({ kind: 'delivered' });
  });

  test('that stored nothing has said nothing', async () => {
    const document = outgoing();
    fake.outcomes.set(RECEIVER, 'nothing-stored');
    expect(await point.send(document)).toEqual(NOBODY_KNOWS);
    expect(await point.status(sentAs(document))).toEqual({ kind: 'absent' });
  });

  test('that has given up says why', async () => {
    const document = outgoing();
    fake.outcomes.set(RECEIVER, 'not-registered');
    expect(await point.send(document)).toEqual(NOBODY_KNOWS);
    expect(await point.status(sentAs(document))).toEqual({
      kind: 'failed',
      reason: 'Receiver is not registered in the SML',
    });
  });

  test('is asked for the refusal of the receiver’s provider that came later', async () => {
    const document = outgoing();
    await point.send(document);
    fake.stored.set(document.key, {
      status: 'sent',
      attempts: 1,
      mlsStatus: 'received_re',
      errorDetails: 'BV: the document breaks a rule',
    });
    expect(await point.status(sentAs(document))).toEqual({
      kind: 'failed',
      reason: 'BV: the document breaks a rule',
    });
  });

  test('that does not know us blocks, and no document is refused', async () => {
    const stranger = createPhossAp({ url: fake.url, token: 'another' });
    expect(await stranger.send(outgoing())).toMatchObject({ kind: 'blocked' });
    expect(await stranger.status(sentAs(outgoing()))).toMatchObject({ kind: 'blocked' });
  });

  test('that refuses an identifier refuses the document', async () => {
    expect(await point.send(outgoing({ receiver: '12' }))).toMatchObject({ kind: 'refused' });
  });
});

describe('Storecove', () => {
  let fake: FakeStorecove;
  let point: AccessPoint;

  beforeEach(async () => {
    fake = await startFakeStorecove();
    point = createStorecove(fake);
  });

  afterEach(async () => fake.close());

  test('takes a document, and has the evidence when it was sent', async () => {
    const document = outgoing();
    const handover = await point.send(document);
    expect(handover).toEqual({ kind: 'accepted', reference: expect.any(String) });
    const reference = handover.kind === 'accepted' ? handover.reference : null;
    expect(await point.status({ key: document.key, reference })).toEqual({ kind: 'underway' });
    fake.regenerate = (xml) => xml.replace('æøå', 'anew');
    fake.transmit();
    const status = await point.status({ key: document.key, reference });
    expect(fake.downloads).toBe(0);
    const evidence = status.kind === 'delivered' ? await status.fetchEvidence() : null;
    expect(evidence).toMatchObject({
      messageId: `${document.key}@as4`,
      receivedBy: 'PNO000001',
    });
    expect(Buffer.from(evidence?.transmitted ?? []).toString()).toBe(XML.replace('æøå', 'anew'));
  });

  test('transmits once what is sent twice with its key', async () => {
    const document = outgoing();
    await point.send(document);
    expect(await point.send(document)).toEqual({ kind: 'accepted', reference: null });
    fake.transmit();
    expect(fake.transmissions).toHaveLength(1);
    expect(point.knowsKeys).toBe(true);
  });

  test('refuses a document that it cannot read', async () => {
    fake.invalid.set(RECEIVER, 'BR-CO-15: the sums do not agree');
    expect(await point.send(outgoing())).toEqual({
      kind: 'refused',
      reason: 'BR-CO-15: the sums do not agree',
    });
  });

  test('reports what has become of it, one at a time, until it is acknowledged', async () => {
    const document = outgoing();
    await point.send(document);
    fake.fail('no_action_taken', 'The receiver is not found');
    for (const _ of [1, 2]) {
      expect(await point.nextEvent?.()).toMatchObject({
        key: document.key,
        name: 'no_action_taken',
        details: 'The receiver is not found',
        reference: expect.any(String),
      });
    }
    const event = await point.nextEvent?.();
    await event?.acknowledge();
    expect(await point.nextEvent?.()).toBeNull();
  });

  // EHF-13
  test('blocks who has no entity there, another’s, or no key', async () => {
    expect(await point.send(outgoing({ entity: null }))).toMatchObject({ kind: 'blocked' });
    expect(await point.send(outgoing({ entity: '1' }))).toMatchObject({ kind: 'blocked' });
    const stranger = createStorecove({ url: fake.url, token: 'another' });
    expect(await stranger.send(outgoing())).toMatchObject({ kind: 'blocked' });
  });
});

// EHF-13
describe.each(['phoss-ap', 'storecove'] as const)('any access point (%s)', (name) => {
  const start = async () => {
    const fake = await (name === 'storecove' ? startFakeStorecove() : startFakePhossAp());
    return { fake, point: name === 'storecove' ? createStorecove(fake) : createPhossAp(fake) };
  };

  test.each([
    ['is overwhelmed', 429, 7],
    ['is out of order', 503, 7],
    ['leads elsewhere', 307, null],
  ])('that %s has said nothing, and when to ask again', async (_, status, retryAfter) => {
    const { fake, point } = await start();
    fake.interrupt = (_request, response) => {
      response
        .writeHead(status, retryAfter === null ? {} : { 'retry-after': `${retryAfter}` })
        .end();
      return true;
    };
    expect(await point.send(outgoing())).toMatchObject({ kind: 'unknown', retryAfter });
    await fake.close();
  });

  test('that hangs up, or answers nonsense, has said nothing', async () => {
    const { fake, point } = await start();
    fake.interrupt = (request) => {
      request.socket.destroy();
      return true;
    };
    expect(await point.send(outgoing())).toMatchObject({ kind: 'unknown' });
    fake.interrupt = (_request, response) => {
      response.writeHead(422).end('<html>');
      return true;
    };
    expect(await point.send(outgoing())).toMatchObject({ kind: 'unknown' });
    await fake.close();
    expect(await point.send(outgoing())).toMatchObject({ kind: 'unknown' });
  });
});
