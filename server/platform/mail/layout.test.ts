import { describe, expect, it } from 'vitest';
import { button, code, facts, headline, link, markup, renderMail, webUrl } from './layout.ts';

const NASTY = `<img src=x onerror="alert(1)"> & 'quotes' </title><script>`;
const ESCAPED =
  '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;quotes&#39; &lt;/title&gt;&lt;script&gt;';

function letter(text: string) {
  return renderMail({
    subject: text,
    preheader: text,
    sender: text,
    heading: text,
    body: [
      text,
      code({ label: text, value: text }),
      headline({ label: text, value: text }, text),
      facts([{ label: text, value: text }]),
      button(text, `https://example.no/?q=${encodeURIComponent(text)}&x="`),
    ],
    footer: [link(text, 'https://example.no/')],
  });
}

describe('a template', () => {
  it('escapes every text and leaves markup alone', () => {
    const inner = markup`<b>${NASTY}</b>`;
    expect(markup`<p title="${NASTY}">${inner}${[inner, inner]}${7}${null}</p>`.source).toBe(
      `<p title="${ESCAPED}">${`<b>${ESCAPED}</b>`.repeat(3)}7</p>`,
    );
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'mailto:a@b.no', ''])(
    'links to the web alone, not to %j',
    (url) => {
      expect(() => webUrl(url)).toThrow(TypeError);
      expect(() => button('Klikk', url)).toThrow(TypeError);
    },
  );
});

describe('a mail', () => {
  // DEL-11
  it('contains no markup from a text', () => {
    const { html } = letter(NASTY);
    expect(html).not.toMatch(/<(img|script)/);
    // The tags are exactly those of the same mail with a harmless text.
    const tags = (source: string) => source.match(/<\/?[a-z][a-z0-9]*/g);
    expect(tags(html)).toEqual(tags(letter('Hei').html));
  });

  it('has the same content in both forms', () => {
    const { html, text } = letter('Å betale');
    expect(text.match(/Å betale/g)).toHaveLength(12);
    expect(text).toContain('https://example.no/?q=%C3%85%20betale&x=%22');
    expect(html).toContain('https://example.no/?q=%C3%85%20betale&amp;x=%22');
  });

  it('declares its language, colours and parts', () => {
    const { html } = letter('Hei');
    expect(html).toMatch(/^<!doctype html>\n<html lang="nb"/);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html.match(/<h1/g)).toHaveLength(1);
    const tables = html.match(/<table[^>]*>/g) ?? [];
    const data = tables.filter((table) => !table.includes('role="presentation"'));
    expect(data, 'only the facts are a table to a screen reader').toHaveLength(1);
    expect(html).toContain('<th scope="row"');
  });

  it('loads nothing from the network', () => {
    expect(letter('Hei').html).not.toMatch(/<(img|link|script|iframe)|url\(|@import|src=/);
  });
});

it('names the company of a notice first, also in the preview of the inbox, unless it has no name yet', () => {
  const content = {
    subject: 'S',
    preheader: 'Periode',
    heading: 'Klar',
    body: ['Hent den.'],
    footer: [],
  };
  const { text, html } = renderMail({ about: 'Fjord & Co', ...content });
  expect(text).toContain('Klar\n\nGjelder Fjord & Co\n\nHent den.');
  expect(html).toContain('>Gjelder Fjord &amp; Co: Periode&');
  expect(renderMail({ about: null, ...content })).toEqual(renderMail(content));
});
