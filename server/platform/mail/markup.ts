/** HTML that is safe: literal markup, with every inserted value escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value to insert into a template; null inserts nothing. */
type Value = string | number | Markup | readonly Markup[] | null;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Template tag for HTML: markup`<p title="${title}">${text}</p>`. Texts are escaped for content and for quoted
 * attributes; insert user text nowhere else in a template.
 *
 * Not called `html`, since the formatter would then reformat its contents, and in a mail white space and conditional
 * comments matter.
 */
export function markup(literals: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const parts = literals.map((literal, index) => literal + toSource(values[index] ?? null));
  return new Markup(parts.join(''));
}

function toSource(value: Value): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.source;
  if (typeof value === 'object') return value.map((part) => part.source).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * A URL for href, src and similar attributes.
 *
 * @throws TypeError unless it is an absolute http(s) URL
 */
export function webUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`Not a web address: ${JSON.stringify(text)}`);
  }
  return url.href;
}
