import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/**
 * Fetches the app beside web/boot.ts, which runs it once the page's own bar has been painted.
 * Without this the browser would learn of the app's files only then.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/web/main.tsx'));
        if (!app) throw new Error('web/main.tsx is not in the bundle: has it moved?');
        const loaded = new Set<Rolldown.OutputChunk>();
        const load = (chunk: Rolldown.OutputChunk) => {
          if (loaded.has(chunk)) return;
          loaded.add(chunk);
          for (const name of chunk.imports) {
            const imported = chunks.find(({ fileName }) => fileName === name);
            if (imported) load(imported);
          }
        };
        load(app);
        // What is in the page already is not named again.
        const isNew = (fileName: string) => !html.includes(`"/${fileName}"`);
        const styles = [...loaded].flatMap(({ viteMetadata }) =>
          Array.from(viteMetadata?.importedCss ?? []),
        );
        const code = [...loaded].map(({ fileName }) => fileName);
        // Styles first, since nothing is painted before them: over a slow line they would wait for code.
        return [
          ...[...new Set(styles)].filter(isNew).map((name) => link('stylesheet', name)),
          ...code.filter(isNew).map((name) => link('modulepreload', name)),
        ];
      },
    },
  };
}

function link(rel: 'stylesheet' | 'modulepreload', fileName: string): HtmlTagDescriptor {
  const attrs = { rel, href: `/${fileName}`, crossorigin: true };
  return { tag: 'link', injectTo: 'head', attrs };
}
