import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstPaint } from './scripts/first-paint.ts';
import { prerender } from './scripts/prerender.ts';
import { zodInBrowser } from './scripts/zod-in-browser.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;

const LIBRARIES =
  /\/node_modules\/(@tanstack|react|react-dom|react-hook-form|react-router|scheduler|zod)\//;

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  plugins: [react(), zodInBrowser(), firstPaint(), prerender()],
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
      output: {
        // What every screen needs, in two files instead of twenty: they compress better together,
        // and the libraries' file outlives our changes.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: LIBRARIES },
            {
              name: 'shared',
              test: /\/(domain\/api|domain\/session|web\/(api|layout|ui))\//,
              minShareCount: 8,
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
