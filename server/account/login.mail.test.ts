import { expect, it } from 'vitest';
import { renderMail } from '../platform/mail/layout.ts';
import { loginMail, unknownAddressMail } from './login-mail.jobs.ts';

it('mails the code and the link that log in, in both forms', () => {
  const link = 'https://faktur.example.no/auth/magic-link/?token=a_b-c';
  const { subject, text, html } = renderMail(loginMail('K7WXQM', link));
  expect(subject).toBe('K7WXQM er koden din til Faktur');
  expect(text).toContain('\nKoden din er: K7WXQM\n');
  expect(text).toContain(`\nLogg inn:\n${link}\n`);
  expect(text).toContain('virker i 10 minutter');
  expect(html).toContain('>K7WXQM</td>');
  expect(html).toContain(`<a href="${link}"`);
});

it('tells an unknown address where to register', () => {
  const { text, html } = renderMail(unknownAddressMail('http://localhost:3000/auth/signup/'));
  expect(text).toContain('\nRegistrer deg:\nhttp://localhost:3000/auth/signup/\n');
  expect(html).toContain('<a href="http://localhost:3000/auth/signup/"');
});

it('has no link to a closed registration', () => {
  const { text, html } = renderMail(unknownAddressMail(null));
  expect(text).toContain('Nye kontoer kan ikke opprettes nå');
  expect(text + html).not.toMatch(/Registrer deg|<a /);
});
