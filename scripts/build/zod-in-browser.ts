import fs from 'node:fs';
import type { Plugin } from 'vite';

const JSON_SCHEMA = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/;
const CORE = /\/zod\/v4\/core\/core\.js$/;
const EXPORTED = /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm;

/**
 * Fits zod to the browser.
 *
 * Its printing of JSON Schema is left out: only the server prints it, for OpenAPI, but every schema
 * refers to it, so no bundler can tell; it is 5 kB of the 150 that the landing screen may weigh.
 * What those modules export becomes a function that does nothing.
 *
 * It is told not to make code at run time. The content security policy forbids that, and zod's
 * trying alone is reported as a violation. The schemas are made while modules are loaded, in
 * whatever order the chunks have, so this must be said in zod's own first module.
 */
export function zodInBrowser(): Plugin {
  return {
    name: 'zod-in-browser',
    apply: 'build',
    load(id) {
      if (!JSON_SCHEMA.test(id)) return null;
      const names = [...fs.readFileSync(id, 'utf8').matchAll(EXPORTED)].map(
        ([, name, alias]) => alias ?? name,
      );
      const stubs = names.map((name) => `export { leftOut as ${name} };`);
      return `const leftOut = () => leftOut;\n${stubs.join('\n')}`;
    },
    transform(code, id) {
      if (!CORE.test(id)) return null;
      return { code: `globalThis.__zod_globalConfig ??= { jitless: true };\n${code}`, map: null };
    },
  };
}
