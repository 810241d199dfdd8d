import { readFileSync } from 'node:fs';

/**
 * A key and its self-signed certificate for 127.0.0.1, valid from 2025 to 2125, as
 * `openssl ca -selfsign -startdate … -enddate …` makes them. They protect nothing.
 */
export const localhostCertificate = read('localhost');

/** The same for sns.amazonaws.com. The tests sign with it. */
export const snsCertificate = read('sns');

/** The same for the fake metadata publishers: smp.test, other.test and some more. */
export const smpCertificate = read('smp');

function read(name: string): { key: string; cert: string } {
  const file = (suffix: string) =>
    readFileSync(new URL(`certificates/${name}${suffix}`, import.meta.url), 'utf8');
  return { key: file('.key.pem'), cert: file('.pem') };
}
