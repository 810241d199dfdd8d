import { describe, expect, it } from 'vitest';
import { readSesNotice } from './ses-notice.ts';

// After the examples of the Amazon SES developer guide.
const MAIL = {
  timestamp: '2026-11-21T11:59:00.000Z',
  source: 'faktura@example.no',
  messageId: '0102018b5c3c0a4f-6d2a1b7e-0b1f-4f4e-9d54-0c1d2e3f4a5b-000000',
  destination: ['kari@example.no'],
  headersTruncated: false,
  headers: [
    { name: 'From', value: '"Snekker" <faktura@example.no>' },
    { name: 'Message-ID', value: '<019a@faktur.example.no>' },
  ],
  commonHeaders: { messageId: '<019a@faktur.example.no>', subject: 'Faktura 1001' },
};

const BOUNCE = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      {
        emailAddress: 'Kari@Example.no',
        status: '5.1.1',
        action: 'failed',
        diagnosticCode: 'smtp; 550 5.1.1 <kari@example.no>... User unknown',
      },
    ],
    timestamp: '2026-11-21T11:59:30.000Z',
    feedbackId: 'x',
  },
  mail: MAIL,
};

const COMPLAINT = {
  notificationType: 'Complaint',
  complaint: {
    complainedRecipients: [{ emailAddress: 'Kari Nordmann <kari@example.no>' }],
    complaintFeedbackType: 'abuse',
    feedbackId: 'x',
  },
  mail: MAIL,
};

function transient(bounceSubType: string, bouncedRecipients: readonly object[]) {
  const { bounce } = BOUNCE;
  return {
    ...BOUNCE,
    bounce: { ...bounce, bounceType: 'Transient', bounceSubType, bouncedRecipients },
  };
}

function read(content: unknown) {
  return readSesNotice(JSON.stringify(content));
}

describe('a notice of Amazon SES', () => {
  it('of a bounce names the mail, the address and the reason', () => {
    expect(read(BOUNCE)).toEqual({
      kind: 'bounce',
      permanent: true,
      recipients: [
        {
          address: 'kari@example.no',
          reason: 'E-postadressen finnes ikke hos mottakerens e-posttjener (5.1.1).',
        },
      ],
      serverId: MAIL.messageId,
      messageId: '<019a@faktur.example.no>',
    });
  });

  it.each(['Transient', 'Undetermined', 'Other'])('of a bounce may pass: %s', (bounceType) => {
    expect(read({ ...BOUNCE, bounce: { ...BOUNCE.bounce, bounceType } })).toMatchObject({
      permanent: false,
    });
  });

  it.each([{ status: '4.4.7', action: 'failed' }, { status: '4.2.0' }, { action: 'delayed' }])(
    'of a bounce that is of no kind in particular is one with a report of delivery: %j',
    (report) => {
      const bouncedRecipients = [{ emailAddress: 'kari@example.no', ...report }];
      expect(read(transient('General', bouncedRecipients))).toMatchObject({
        kind: 'bounce',
        permanent: false,
      });
    },
  );

  it('of an automatic answer is none, which Amazon calls a bounce too', () => {
    const bouncedRecipients = [{ emailAddress: 'kari@example.no' }];
    expect(read(transient('General', bouncedRecipients))).toBeNull();
    // A full mailbox got nothing, whether or not its server says so in a report.
    expect(read(transient('MailboxFull', bouncedRecipients))).toMatchObject({ kind: 'bounce' });
  });

  it('shows nothing that the other server wrote', () => {
    const bouncedRecipients = [
      { emailAddress: 'a@example.no', status: '<b>5.1.1</b>' },
      { emailAddress: 'b@example.no' },
    ];
    const reason = 'E-posten kom i retur fra mottakerens e-posttjener.';
    expect(read({ ...BOUNCE, bounce: { ...BOUNCE.bounce, bouncedRecipients } })).toMatchObject({
      recipients: [
        { address: 'a@example.no', reason },
        { address: 'b@example.no', reason },
      ],
    });
  });

  it('names an address as it is kept, however its domain is written', () => {
    const bouncedRecipients = [{ emailAddress: 'Kari <Kari@Bjørnsrud.no>', status: '5.1.1' }];
    const notice = read({ ...BOUNCE, bounce: { ...BOUNCE.bounce, bouncedRecipients } });
    expect(notice?.recipients).toMatchObject([{ address: 'kari@xn--bjrnsrud-64a.no' }]);
  });

  it('of a complaint ends all mail to the address', () => {
    expect(read(COMPLAINT)).toMatchObject({
      kind: 'complaint',
      permanent: true,
      recipients: [
        {
          address: 'kari@example.no',
          reason: 'Mottakeren har meldt e-posten som søppelpost.',
        },
      ],
    });
  });

  it('of the opposite of a complaint is none', () => {
    const complaint = { ...COMPLAINT.complaint, complaintFeedbackType: 'not-spam' };
    expect(read({ ...COMPLAINT, complaint })).toBeNull();
  });

  it('comes by the other name when it is a published event', () => {
    const { notificationType, ...event } = BOUNCE;
    expect(read({ ...event, eventType: notificationType })).toEqual(read(BOUNCE));
  });

  it('may lack the headers, or hold a Message-ID that is not ours to read', () => {
    const { headers: _, commonHeaders: __, ...bare } = MAIL;
    expect(read({ ...BOUNCE, mail: bare })).toMatchObject({
      serverId: MAIL.messageId,
      messageId: null,
    });
    const commonHeaders = { messageId: MAIL.messageId };
    expect(read({ ...BOUNCE, mail: { ...bare, commonHeaders } })).toMatchObject({
      messageId: null,
    });
  });

  it.each([
    '',
    'Successfully validated SNS topic for Amazon SES event publishing.',
    'null',
    '[]',
    '{"notificationType":"AmazonSnsSubscriptionSucceeded","message":"You have …"}',
    JSON.stringify({ ...BOUNCE, notificationType: 'Delivery' }),
    JSON.stringify({ ...BOUNCE, mail: {} }),
    JSON.stringify({ ...BOUNCE, bounce: {} }),
    JSON.stringify({ ...COMPLAINT, complaint: null }),
  ])('of anything else is none: %s', (message) => {
    expect(readSesNotice(message)).toBeNull();
  });
});
