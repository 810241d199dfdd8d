/** Reads a remembered text; null when there is none, or storage is turned off. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remembers a text on the device, not per user. Nothing breaks when storage is turned off or full. */
export function remember(name: string, text: string): void {
  try {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
  } catch {
    // Only a preference is lost.
  }
}
