import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './scripts/build/chunks.ts';
import { endpointsInBrowser } from './scripts/build/endpoints-in-browser.ts';
import { firstPaint } from './scripts/build/first-paint.ts';
import { prerender } from './scripts/build/prerender.ts';
import { zodInBrowser } from './scripts/build/zod-in-browser.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  plugins: [react(), endpointsInBrowser(), zodInBrowser(), firstPaint(), prerender()],
  build: {
    outDir: path.join(import.meta.dirname, 'dist', 'web'),
    emptyOutDir: true,
    // For scripts/check-bundle.ts.
    manifest: true,
    // The content security policy allows neither inline scripts nor data: fonts, so every asset
    // is a file of its own with the hash of its content in its name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunks() } } },
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
