import { expect, test } from 'vitest';

import { sampleNotice, sampleReminder } from '../testing/reminder-documents.ts';
import { readReminder, reminderVersionOf, writeReminder } from './reminder-text.ts';

test('a reminder is frozen as text from which it is read again', () => {
  const withLogo = sampleReminder({ logo: 'a1'.repeat(32) });
  for (const document of [sampleReminder(), sampleNotice(), withLogo]) {
    const version = reminderVersionOf(document);
    expect(version).toBe(document === withLogo ? 2 : 1);
    expect(readReminder(writeReminder(document), version)).toEqual(document);
  }
});

// The format of reminder texts never changes: databases hold this text.
test('its text begins with its version and has its fields in order', () => {
  expect(writeReminder(sampleReminder())).toBe(
    '[1,{"bankAccountNumber":"12341112344","buyer":{"address1":"Verksgata 15","address2":null,"city":"Bærums Verk","customerNumber":1042,"email":"regnskap@kaffe.example","name":"Bærums Verk Kaffebrenneri AS","orgNumber":"987654325","postalCode":"1353"},"compensation":0,"date":"2026-12-09","dueDate":"2026-12-23","earlier":0,"fee":0,"interest":null,"invoice":{"about":"Profildesign og logo m.m.","dueDate":"2026-12-05","grossAmount":2663016,"issueDate":"2026-11-21","paidAmount":0},"invoiceNumber":10027,"kid":"000104200000100272","kidModulus":null,"kind":"REMINDER","reference":"Kari Nordmann","seller":{"address1":"Storgata 12","address2":null,"city":"Oslo","email":"post@fjordlys.example","foretaksregisteret":true,"name":"Fjordlys Design AS","orgNumber":"123456785","postalCode":"0184","vatRegistered":true}}]',
  );
});

test('one of a version to come is not guessed at', () => {
  expect(() => readReminder('[3,{}]', 3)).toThrow(RangeError);
});
