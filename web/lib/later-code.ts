/** Where a browser says which file it could not fetch. */
const ADDRESS = /https?:\/\/[^\s?]+\.(?:js|css)/;
const NOT_FOUND = 404;

/** Code that comes after what is shown without it. */
export interface LaterCode<Module> {
  /** Fetches it, once; when that fails, anew at the next call. */
  readonly load: () => Promise<Module>;
  /** What has been fetched. */
  readonly loaded: Module | undefined;
}

/** Code that this page cannot get any more, while the server answers: a new version has other files. */
export class CodeGone extends Error {
  override readonly name = 'CodeGone';
}

/** Stylesheets that could not be fetched. Vite asks for each only once, and then takes it for read. */
const lost = new Set<string>();

// A test in Node reads the list of screens, where there are no events.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target.href);
  },
  true,
);

async function fetchLostStyles(): Promise<void> {
  for (const href of lost) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    await new Promise((resolve, reject) => {
      link.addEventListener('load', resolve);
      link.addEventListener('error', () => reject(new Error(`No stylesheet at ${href}`)));
      document.head.append(link);
    });
    lost.delete(href);
  }
}

/** @param load an `import()` */
export function laterCode<Module>(load: () => Promise<Module>): LaterCode<Module> {
  let loaded: Module | undefined;
  return {
    load: async () => (loaded ??= await loadAnew(load)),
    get loaded() {
      return loaded;
    },
  };
}

/**
 * Fetches code, a second time where the file is there after all. Chrome remembers for as long as the page is there that
 * a module could not be fetched, and does not ask for it again: so it is asked for at another address.
 *
 * @throws CodeGone when the server answers, and loading the page anew may help
 */
async function loadAnew<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    await fetchLostStyles();
    return await load();
  } catch (error) {
    const [named] = ADDRESS.exec(String(error)) ?? [];
    // Safari does not name the file; the page's own script has another name in a new version too.
    const address = named ?? document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '/';
    const status = await statusOf(address);
    if (status === NOT_FOUND) throw new CodeGone(address, { cause: error });
    if (status !== 200) throw error;
    try {
      await fetchLostStyles();
      if (!named?.endsWith('.js')) return await load();
      return (await import(/* @vite-ignore */ `${named}?${Date.now()}`)) as Module;
    } catch (again) {
      throw new CodeGone(address, { cause: again });
    }
  }
}

/** 0 when nobody answers. */
async function statusOf(address: string): Promise<number> {
  return fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status,
    () => 0,
  );
}
