import { describe, expect, it } from 'vitest';

import { companyInMessageId, messageIdOfDelivery } from './outgoing-mail.ts';

const config = { secretKey: 'a secret', publicUrl: 'https://faktur.example.no/' };
const uuid = '5a2c9b4e-7d1f-4f7a-9d55-0d6a4cf3a0e1';

describe('a Message-ID', () => {
  it.each([1, 600_000, Number.MAX_SAFE_INTEGER])('says whose the mail is: %d', (companyId) => {
    const messageId = messageIdOfDelivery(config, { companyId, uuid });
    expect(messageId).toMatch(
      /^<5a2c9b4e-7d1f-4f7a-9d55-0d6a4cf3a0e1\.[0-9a-f]{16}@faktur\.example\.no>$/,
    );
    expect(companyInMessageId(config, messageId)).toBe(companyId);
    expect(messageIdOfDelivery(config, { companyId, uuid })).toBe(messageId);
  });

  it('says it to nobody else', () => {
    const of = (companyId: number, name: string) =>
      messageIdOfDelivery(config, { companyId, uuid: name }).split(/[.@]/)[1] ?? '';
    const other = crypto.randomUUID();
    // Neither the number itself, nor that two mails or two companies have to do with each other.
    expect(of(1, uuid)).not.toContain('00000000');
    expect(of(1, uuid).slice(0, 12)).not.toBe(of(1, other).slice(0, 12));
    const messageId = messageIdOfDelivery(config, { companyId: 1, uuid });
    expect(companyInMessageId({ secretKey: 'another' }, messageId)).not.toBe(1);
  });

  it.each([`<${uuid}@faktur.example.no>`, '<a@b.no>', '<.0000000000000000@b.no>'])(
    'of before, or of others, says nothing: %s',
    (messageId) => {
      expect(companyInMessageId(config, messageId)).toBeNull();
    },
  );
});
