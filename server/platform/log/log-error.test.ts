import { expect, test } from 'vitest';

import { describeError } from './log-error.ts';

test('an error is logged with its causes and its code, without the e-mail addresses that a mail server quotes', () => {
  const cause = Object.assign(new Error('550 5.1.1 <kari.ås@bjørkely.no> unknown'), {
    code: 'EENVELOPE',
  });
  const error = Object.assign(new Error('Not sent to ola@example.no (550)', { cause }), {
    responseCode: 550,
    recipient: 'ola@example.no',
  });
  const described = describeError(error);
  expect(described).toEqual({
    type: 'Error',
    message: 'Not sent to …@… (550): 550 5.1.1 <…@…> unknown',
    responseCode: 550,
    stack: expect.stringContaining('log-error.test.ts'),
  });
  expect(JSON.stringify(described)).not.toMatch(/ola|kari/);
});

test('a thrown value that is not an error is logged as text', () => {
  expect(describeError('kari@example.no is away')).toEqual({ message: '…@… is away' });
});
