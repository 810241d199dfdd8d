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

const UNUSED_OF_ZOD = /\/zod\/v4\/(core\/(to-json-schema|json-schema-processors)|locales\/en)\.js$/;

/**
 * Leaves out of the browser what Zod always brings along: what it writes JSON Schema with, which the server alone does
 * for OpenAPI, and its English messages, for which `domain/api/validation.ts` has others. 6 kB of the first load.
 */
function withoutUnusedOfZod(): Plugin {
  const found = new Set<string>();
  return {
    name: 'without-unused-of-zod',
    apply: 'build',
    load: (id) => {
      if (!UNUSED_OF_ZOD.test(id)) return null;
      found.add(id);
      const source = fs.readFileSync(id, 'utf8');
      return [...source.matchAll(/^export (default|const|function) (\w+)/gm)]
        .map(([, kind, name]) =>
          kind === 'default' ? 'export default () => ({})' : `export function ${name}() {}`,
        )
        .join('\n');
    },
    buildEnd() {
      if (found.size !== 3)
        this.error('Zod has its JSON Schema or English in other files than before');
    },
  };
}

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

/** Names a class in the browser after its file, which no other file has the name of: `Button_primary`. */
const nameClass = (name: string, file: string) =>
  `${path.basename(file).replace(/\..*/, '')}_${name}`;

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
      fs.writeFileSync(`${file}.gz`, gzipSync(bytes));
    }
  },
};

export default defineConfig({
  root: web,
  plugins: [react(), cssLayers, landingPage, withoutUnusedOfZod(), appIcons, compressed],
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
            // Without the forms of invoices, templates and customers, which the list does without: 36 kB less for it.
            {
              name: 'signed-in',
              test: /\/(domain\/customer|web\/features\/customer\/customer\.api|(domain|web\/features)\/(delivery|history|invoic(?!e\/editor|e-template)|profile))|\/lucide-react\/.*\/icons\//,
              minShareCount: 2,
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
