import { expect, test } from 'vitest';
import { z } from 'zod/mini';

import { bankAccountNumber } from '../../domain/parties.ts';
import { requiredEmail, requiredText } from '../../domain/text.ts';
import { schemaResolver } from './Form.tsx';

const OPTIONS = { fields: {}, shouldUseNativeValidation: false };

const schema = z.object({
  companyName: requiredText(),
  email: requiredEmail(),
  bankAccounts: z.array(z.object({ bankAccountNumber: bankAccountNumber() })).check(z.minLength(1)),
});

const COMPLETE = {
  companyName: ' Fjordlys ',
  email: 'Post@Fjordlys.no',
  bankAccounts: [{ bankAccountNumber: '1234.11.12345' }],
};

test('what the schema accepts comes out as the schema makes it', async () => {
  const { values, errors } = await schemaResolver(schema)(COMPLETE, undefined, OPTIONS);
  expect(errors).toEqual({});
  expect(values).toMatchObject({
    companyName: 'Fjordlys',
    email: 'post@fjordlys.no',
    bankAccounts: [{ bankAccountNumber: '12341112345' }],
  });
});

// WEB-15
test('faults lie where their fields are, in the words of the contract', async () => {
  const { errors } = await schemaResolver(schema)(
    { ...COMPLETE, companyName: '', email: 'feil', bankAccounts: [{ bankAccountNumber: '' }] },
    undefined,
    OPTIONS,
  );
  expect(errors).toMatchObject({
    companyName: { message: 'companyName is a required field' },
    email: { message: 'email must be a valid email' },
    bankAccounts: [{ bankAccountNumber: { message: 'bankAccountNumber is a required field' } }],
  });
});

test('a sentence of its own is left as it is', async () => {
  const { errors } = await schemaResolver(schema)(
    { ...COMPLETE, bankAccounts: [{ bankAccountNumber: '123' }] },
    undefined,
    OPTIONS,
  );
  expect(errors).toMatchObject({
    bankAccounts: [
      {
        bankAccountNumber: {
          message: 'Bank account number must be in the format "1234.11.12345" or "12341112345"',
        },
      },
    ],
  });
});
