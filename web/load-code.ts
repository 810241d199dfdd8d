/** Where a browser says which module it could not fetch. */
const ADDRESS = /https?:\/\/[^\s?]+\.js/;

const failed = new Set<string>();

/**
 * Fetches code that comes after its screen. Chrome remembers for as long as the page is there that a module could not
 * be fetched, and does not ask for it again: so it is asked for at another address, from the second try on.
 *
 * @param load an `import()`
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [address] = ADDRESS.exec(String(error)) ?? [];
    if (address === undefined) throw error;
    if (!failed.has(address)) {
      failed.add(address);
      throw error;
    }
    return (await import(/* @vite-ignore */ `${address}?${Date.now()}`)) as T;
  }
}
