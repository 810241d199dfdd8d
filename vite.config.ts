import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

import { drawIcons } from './scripts/app-icons.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
const web = path.join(import.meta.dirname, 'web');

/** As server/platform/http/pages.ts has it: `/` is the landing page, and every other address the app. */
const landingPage: Plugin = {
  name: 'landing-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _, next) => {
      if (request.url?.split('?', 1)[0] === '/') request.url = '/landing.html';
      next();
    });
  },
};

/** Later layers win, whatever the order of rules and files and however specific their selectors are. */
const LAYERS = 'reset, base, layout, ui, feature, last';

/**
 * Puts each style sheet into the layer of its folder. A sheet that has layers keeps them. Each states the order too,
 * because the browser may meet any of them first.
 */
const cssLayers: Plugin = {
  name: 'css-layers',
  enforce: 'pre',
  transform: {
    filter: { id: /\/web\/.*\.css$/ },
    handler: (code, id) => {
      const folder = path.relative(web, id);
      const layer = /^(ui|forms)\//.test(folder) ? 'ui' : 'feature';
      return `@layer ${LAYERS};\n${code.includes('@layer') ? code : `@layer ${layer} {\n${code}}`}`;
    },
  },
};

/** A node of the syntax of JavaScript, as far as `withoutSchemas` looks at it. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly Syntax[];
  readonly properties?: readonly Syntax[];
  readonly key?: { readonly name?: string };
  readonly declaration?: Syntax | null;
  readonly declarations?: readonly { readonly init?: Syntax | null }[];
}

/** The properties of a call that the browser never reads. It does ask whether there is a `response`. */
const OF_SERVER = /^(id|summary|permission|errors|params|query|body|bodyFor)$/;

/**
 * Leaves out of the browser what calls and schemas say for the server and OpenAPI alone. Making a constant of the
 * domain has no side effect, so those that no screen uses go too. 4 kB of the list's 180.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  transform: {
    filter: { id: /\/domain\/.*\.ts$/ },
    handler(code) {
      let kept = '';
      let position = 0;
      const replace = (start: number, end: number, text = '') => {
        kept += code.slice(position, start) + text;
        position = end;
      };
      const program = this.parse(code);
      const made = new Set(
        (program.body as Syntax[])
          .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
          .map(({ init }) => init)
          .filter((init) => init?.type === 'CallExpression'),
      );
      const visit = (node: Syntax) => {
        const [first] = node.arguments ?? [];
        if (made.delete(node)) {
          replace(node.start, node.start, '/*@__PURE__*/(() => ');
          visit(node);
          replace(node.end, node.end, ')()');
        } else if (node.callee?.name === 'described' && first) {
          replace(node.start, first.start);
          visit(first);
          replace(first.end, node.end);
        } else if (node.callee?.name === 'defineEndpoint' && first) {
          for (const { start, end, key } of first.properties ?? []) {
            if (key?.name === 'response') replace(start, end, 'response: true');
            else if (OF_SERVER.test(key?.name ?? ''))
              replace(start, end + (code[end] === ',' ? 1 : 0));
          }
        } else {
          for (const child of Object.values(node).flat() as (Syntax | null)[]) {
            if (typeof child?.type === 'string') visit(child);
          }
        }
      };
      visit(program);
      return kept + code.slice(position);
    },
  },
};

/** Lets components of a library go that no screen uses: making one has no effect, and its name is for debugging. */
const withoutUnusedComponents: Plugin = {
  name: 'without-unused-components',
  apply: 'build',
  transform: {
    filter: { id: /\/node_modules\/.*js$/, code: /displayName/ },
    handler: (code) =>
      code
        .replaceAll(/^[\w$]+\.displayName = .*;$/gm, '')
        .replaceAll(
          /^(const [\w$]+ = )(?=[\w$.]*\b(?:forwardRef|createContext)\()/gm,
          '$1/*@__PURE__*/ ',
        ),
  },
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const sheets = fs.globSync('**/*.module.css', { cwd: web }).toSorted();
const namesIn = new Map<string, string[]>();

/**
 * Names a class in the browser: `Button_primary` while one develops, for no two files have the same name, and in a
 * build briefly by the numbers of its file and of the class in it. 1.4 kB of all style sheets.
 */
function nameClass(name: string, file: string): string {
  if (process.env.NODE_ENV !== 'production') {
    return `${path.basename(file).replace(/\..*/, '')}_${name}`;
  }
  const sheet = sheets.indexOf(path.relative(web, file.replace(/\?.*/, '')));
  const names = namesIn.get(file) ?? [];
  namesIn.set(file, names);
  if (!names.includes(name)) names.push(name);
  return `${LETTERS[Math.floor(sheet / 26)]}${LETTERS[sheet % 26]}${names.indexOf(name)}`;
}

/** What a home screen shows, drawn from the mark. */
const appIcons: Plugin = {
  name: 'app-icons',
  apply: 'build',
  async generateBundle() {
    const mark = fs.readFileSync(path.join(web, 'public', 'favicon.svg'));
    for (const icon of await drawIcons(mark)) this.emitFile({ type: 'asset', ...icon });
  },
};

/**
 * Writes each script and style sheet compressed beside it, for @fastify/static. Brotli is an eighth smaller than gzip,
 * and takes a second for the largest file.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  enforce: 'post',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = path.join(dir, name);
      const bytes = fs.readFileSync(file);
      fs.writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      fs.writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: web,
  plugins: [
    react(),
    cssLayers,
    landingPage,
    withoutSchemas,
    withoutUnusedComponents,
    appIcons,
    compressed,
  ],
  css: { modules: { generateScopedName: nameClass } },
  build: {
    outDir: path.join(import.meta.dirname, 'dist', 'web'),
    emptyOutDir: true,
    // For scripts/check-bundle.ts.
    manifest: true,
    // The content security policy allows neither inline scripts nor data: fonts, so every asset
    // is a file of its own with the hash of its content in its name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [path.join(web, 'index.html'), path.join(web, 'landing.html')],
      output: {
        // Six characters tell versions of a file apart; each script names dozens of others.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          // A screen waits for each file that it needs, so what goes together is in one.
          groups: [
            // A few lines, Vite's own and ours, which both pages need.
            { name: 'import', test: /vite\/preload-helper|\/web\/lib\/later-code/ },
            { name: 'libraries', test: /\/node_modules\/.*js$/, tags: ['$initial'] },
            {
              name: 'start',
              test: /\/(web|domain)\/(?!app\/main|landing|lib\/later-code).*\.tsx?$/,
              tags: ['$initial'],
            },
            // Without the forms of invoices, templates and customers and the questions before registering: 37 kB less for the list.
            {
              name: 'signed-in',
              test: /\/(domain\/customer|web\/features\/customer\/customer\.api|(domain|web\/features)\/(delivery|history(?!\/EventCard)|invoic(?!e\/(editor|AddressForm|ResendButton|\S*Question)|e-template)|profile\/profile)|web\/(ui\/(FootBar|SearchField|Tag)|features\/profile\/IncompleteProfile))|\/lucide-react\/.*\/icons\//,
              minShareCount: 2,
            },
            // The fields of invoices, templates and assignments.
            {
              name: 'editor',
              test: /\/web\/features\/(editor\/(?!LineOptions)|invoice\/editor\/(InvoiceEditor|SaveBar|later-parts|useProposals)).*\.(tsx?|css)$/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': server,
      '/config.json': server,
      '^/invoices/[^/]+/pdf/?$': server,
    },
  },
});
