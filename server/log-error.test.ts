import { expect, test } from 'vitest';

import { describeError } from './log-error.ts';

test('an error is told with its causes and its code, and without the addresses that a mail server names', () => {
  const cause = Object.assign(new Error('550 5.1.1 <kari.ås@bjørkely.no> unknown'), {
    code: 'EENVELOPE',
  });
  const error = Object.assign(new Error('Not sent to ola@example.no (550)', { cause }), {
    responseCode: 550,
    recipient: 'ola@example.no',
  });
  const told = describeError(error);
  expect(told).toEqual({
    type: 'Error',
    message: 'Not sent to …@… (550): 550 5.1.1 <…@…> unknown',
    responseCode: 550,
    stack: expect.stringContaining('log-error.test.ts'),
  });
  expect(JSON.stringify(told)).not.toMatch(/ola|kari/);
});

test('what is thrown that is no error is told as text', () => {
  expect(describeError('kari@example.no is away')).toEqual({ message: '…@… is away' });
});
