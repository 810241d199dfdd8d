/** Matches the address of the missing file in a browser's error message. */
const ADDRESS = /https?:\/\/[^\s?]+\.(?:js|css)/;
const NOT_FOUND = 404;

export interface LaterCode<Module> {
  /** Loads the code once. After a failure the next call tries again. */
  readonly load: () => Promise<Module>;
  /** The loaded module; undefined before that. */
  readonly loaded: Module | undefined;
}

/** The server responds but no longer has the code's file: a new version has other file names. */
export class CodeGone extends Error {
  override readonly name = 'CodeGone';
}

/** Stylesheets that failed to load. Vite requests each only once, and then treats it as loaded. */
const lost = new Set<string>();

// Optional call: a Node test imports this module, and Node has no addEventListener.
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
    load: async () => (loaded ??= await loadWithRetry(load)),
    get loaded() {
      return loaded;
    },
  };
}

/**
 * Loads code, and tries once more when the server does have the file. Chrome remembers a failed module until the
 * page is reloaded and does not request it again, so the second try adds a query to the address.
 *
 * @throws CodeGone when the server responds, so that a reload of the page may help
 */
async function loadWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    await fetchLostStyles();
    return await load();
  } catch (error) {
    const [named] = ADDRESS.exec(String(error)) ?? [];
    // Safari does not name the file. The page's own script also changes name with each version.
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

/** The HTTP status of an address; 0 without a response. */
async function statusOf(address: string): Promise<number> {
  return fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status,
    () => 0,
  );
}
