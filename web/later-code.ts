/** Where a browser says which module it could not fetch. */
const ADDRESS = /https?:\/\/[^\s?]+\.js/;

const failed = new Set<string>();

/** Code that comes after what is shown without it. */
export interface LaterCode<Module> {
  /** Fetches it, once; when that fails, anew at the next call. */
  readonly load: () => Promise<Module>;
  /** What has been fetched. */
  readonly loaded: Module | undefined;
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
 * Chrome remembers for as long as the page is there that a module could not be fetched, and does not ask for it again:
 * so it is asked for at another address, from the second try on.
 */
async function loadAnew<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [address] = ADDRESS.exec(String(error)) ?? [];
    if (address === undefined) throw error;
    if (!failed.has(address)) {
      failed.add(address);
      throw error;
    }
    return (await import(/* @vite-ignore */ `${address}?${Date.now()}`)) as Module;
  }
}
