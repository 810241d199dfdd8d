import { expect, it } from 'vitest';
import { newsletterWelcomeMail } from './newsletter.mail.ts';

it('offers to unsubscribe, in both forms', () => {
  const unsubscribeUrl = 'https://faktur.example.no/emails/unsubscribe/?token=a_b-c';
  const { text, html } = newsletterWelcomeMail({ unsubscribeUrl });
  expect(text).toContain(`\nMeld deg av:\n${unsubscribeUrl}\n`);
  expect(html).toMatch(/<a href="https:\/\/faktur[^"]*token=a_b-c"[^>]*>Meld deg av<\/a>/);
});
