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
      handler(_html, { bundle = {} }) {
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
        return [...loaded].flatMap(tagsOf);
      },
    },
  };
}

function tagsOf(chunk: Rolldown.OutputChunk): HtmlTagDescriptor[] {
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
  return [
    link({ rel: 'modulepreload', href: `/${chunk.fileName}` }),
    ...styles.map((href) => link({ rel: 'stylesheet', href: `/${href}` })),
  ];
}

function link(attributes: { rel: string; href: string }): HtmlTagDescriptor {
  return { tag: 'link', injectTo: 'head', attrs: { ...attributes, crossorigin: true } };
}
