/** Latin script only: a label with look-alike letters stays in its encoded form. */
const READABLE_LABEL = /^[\p{Script=Latin}\d-]+$/u;
/** A URL accepts more as a host: escapes, ports, addresses in brackets. */
const PLAIN_NAME = /^[\p{L}\p{N}\p{M}.-]+$/u;
const ENCODED_LABEL = /(^|\.)xn--/;

/**
 * An address as it is stored and mailed. A domain with letters beyond ASCII is put in its encoded form (IDNA, RFC
 * 5891), so that 'kari@bjørnsrud.no' and 'kari@xn--bjrnsrud-64a.no' are the same. An address without such a form is
 * returned unchanged. Expects lower case.
 */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  const isPlain = /^[\0-\x7f]*$/.test(domain) && !ENCODED_LABEL.test(domain);
  if (isPlain || !PLAIN_NAME.test(domain)) return email;
  return email.slice(0, at) + (asciiName(domain) ?? domain);
}

/** An address as people read it: 'kari@bjørnsrud.no'. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (!ENCODED_LABEL.test(domain)) return email;
  return email.slice(0, at) + domain.split('.').map(readableLabel).join('.');
}

function readableLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const text = decode(label.slice(4));
  const isFaithful = text !== null && READABLE_LABEL.test(text) && asciiName(text) === label;
  return isFaithful ? text : label;
}

/** `URL` applies IDNA to a host, in browsers and in Node. */
function asciiName(name: string): string | null {
  return URL.parse(`http://${name}`)?.hostname ?? null;
}

// RFC 3492 §§ 5 and 6.2, with its names. Neither browsers nor `URL` decode Punycode.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function decode(encoded: string): string | null {
  const delimiter = encoded.lastIndexOf('-');
  const output = Array.from(encoded.slice(0, Math.max(delimiter, 0)));
  let [code, index, bias] = [128, 0, 72];
  for (let place = delimiter + 1; place < encoded.length; index += 1) {
    const start = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(encoded.charAt(place) || '.');
      if (digit < 0) return null;
      place += 1;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10_ff_ff) return null;
    output.splice(index, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  const [damp, skew] = [700, 38];
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + skew));
}
