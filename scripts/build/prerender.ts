import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type ResolvedConfig } from 'vite';

import { PRERENDERED } from '../../web/prerendered.ts';

const EMPTY_ROOT = /<div id="root">[^]*?<\/div>\s*<\/div>/;

/**
 * Writes landing.html beside index.html: the same page with the landing page already in it, which is
 * seen as soon as the styles are here. The server sends it for `/`.
 */
export function prerender(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'prerender',
    apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
    configResolved(resolved) {
      config = resolved;
    },
    async closeBundle() {
      const folder = path.resolve(config.root, config.build.outDir);
      const markup = await renderLandingPage(config);
      const index = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
      const landing = index
        .replace(EMPTY_ROOT, () => `<div id="root" ${PRERENDERED}>${markup}</div>`)
        // Styles and font are all that it needs to be seen.
        .replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"');
      if (!landing.includes(markup)) throw new Error('index.html has no #root to be filled');
      fs.writeFileSync(path.join(folder, 'landing.html'), landing);
    },
  };
}

async function renderLandingPage({ root, configFile }: ResolvedConfig): Promise<string> {
  const folder = fs.mkdtempSync(path.join(root, '..', 'node_modules', '.cache-prerender-'));
  try {
    await build({
      configFile: configFile ?? false,
      logLevel: 'warn',
      build: { ssr: 'prerender.tsx', outDir: folder, emptyOutDir: true, manifest: false },
    });
    const file = pathToFileURL(path.join(folder, 'prerender.js')).href;
    const module = (await import(file)) as { renderLandingPage: () => string };
    return module.renderLandingPage();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
