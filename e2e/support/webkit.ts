import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';

import { freePort } from '../../server/testing/process.ts';
import { eventually } from '../../server/testing/until.ts';
import { PHONE } from './browser.ts';

// Drives Debian's WebKitGTK, the engine of the browser on every iPhone. Playwright needs its own build of WebKit, which
// would be a download, so this module uses a few HTTP calls of WebDriver (W3C).
const [BROWSER = 'MiniBrowser'] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
const PATIENCE_MS = 60_000;

/** The key of an element in WebDriver's JSON (W3C WebDriver § 12.2). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A user with a phone whose browser is WebKit. */
export interface WebKitVisit {
  goto(path: string): Promise<void>;
  /** Presses the button or link whose name has this prefix, when it is there and enabled. */
  press(name: string): Promise<void>;
  /** Empties the n-th field (from 0) with this label and types into it. */
  type(label: string, text: string, at?: number): Promise<void>;
  /** The value of the field with this label. */
  valueOf(label: string): Promise<string>;
  /** Waits until the page shows this text. Breaking and non-breaking spaces are equal. */
  see(text: string): Promise<void>;
  /** Waits until the address has this path. */
  waitForPath(path: string): Promise<void>;
  /** Runs a function's body in the page, such as `return innerWidth`. */
  run<T>(script: string, ...args: readonly unknown[]): Promise<T>;
  /** A screenshot of the page as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens WebKit in a window of the size of a phone, on its own display. */
export async function visitInWebKit(origin: string): Promise<WebKitVisit> {
  const { display, server } = await startDisplay();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, LANG: 'nb_NO.UTF-8' },
    stdio: 'ignore',
  });
  const end = async () => {
    await endProcess(driver);
    await endProcess(server);
  };
  try {
    const base = `http://127.0.0.1:${port}`;
    const session = await eventually(async () => openSession(base), 'WebKit', PATIENCE_MS);
    const send = sender(`${base}/session/${session}`);
    await send('POST', '/window/rect', { x: 0, y: 0, ...PHONE });
    return {
      ...actions(send, origin),
      close: async () => {
        try {
          await send('DELETE', '');
        } finally {
          await end();
        }
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

function actions(send: Send, origin: string): Omit<WebKitVisit, 'close'> {
  const run = async <T>(script: string, ...args: readonly unknown[]) =>
    send<T>('POST', '/execute/sync', { script, args });
  return {
    run,
    goto: async (path) => send('POST', '/url', { url: origin + path }),
    press: async (name) => {
      await onElement(send, pressable(name), 0, async (button) =>
        send('POST', `${button}/click`, {}),
      );
    },
    type: async (label, text, at = 0) => {
      await onElement(send, labelled(label), at, async (field) => {
        await send('POST', `${field}/clear`, {});
        await send('POST', `${field}/value`, { text });
      });
    },
    valueOf: async (label) =>
      onElement(send, labelled(label), 0, async (field) =>
        send<string>('GET', `${field}/property/value`),
      ),
    see: async (text) => {
      const isSeen = async () => (await run<boolean>(SHOWS, text)) || undefined;
      await eventually(isSeen, `"${text}" in WebKit`, PATIENCE_MS);
    },
    waitForPath: async (path) => {
      const isThere = async () =>
        (await run<string>('return location.pathname')) === path || undefined;
      await eventually(isThere, `${path} in WebKit`, PATIENCE_MS);
    },
    picture: async () => Buffer.from(await send<string>('GET', '/screenshot'), 'base64'),
  };
}

const SHOWS = String.raw`return document.body.innerText.replaceAll(/\s/g, ' ').includes(arguments[0])`;

/**
 * Performs an action on an element, named by its path in WebDriver. Waits for the element, and retries when the page
 * is redrawn meanwhile, or a message or an opening dialog covers the element.
 */
async function onElement<T>(
  send: Send,
  xpath: string,
  at: number,
  act: (element: string) => Promise<T>,
): Promise<T> {
  const attempt = async () => {
    try {
      const found = await send<Record<string, string>[]>('POST', '/elements', {
        using: 'xpath',
        value: xpath,
      });
      const id = found[at]?.[ELEMENT];
      if (id === undefined) return undefined;
      // The driver scrolls too, but leaves a field just below the window where it is.
      await send('POST', '/execute/sync', {
        script: "arguments[0].scrollIntoView({ block: 'nearest' })",
        args: [found[at]],
      });
      return { result: await act(`/element/${id}`) };
    } catch (error) {
      if (/stale element|intercepted|not interactable/.test(String(error))) return undefined;
      throw error;
    }
  };
  return (await eventually(attempt, `${xpath} in WebKit`, PATIENCE_MS)).result;
}

/**
 * Buttons and links of the screen without its header, by the prefix of their text or by their accessible name. An open
 * dialog hides those outside of it.
 */
function pressable(name: string): string {
  const isShown = 'not(ancestor::*[@aria-hidden="true" or @inert])';
  const is = `(starts-with(normalize-space(), "${name}") or @aria-label="${name}") and ${isShown}`;
  return `(//button | //*[@role="option"])[${is} and not(@aria-disabled)] | //a[${is} and not(ancestor::header)]`;
}

function labelled(label: string): string {
  return `//*[@id=//label[starts-with(normalize-space(), "${label}")]/@for]`;
}

async function openSession(base: string): Promise<string | undefined> {
  const options = { binary: BROWSER, args: ['--automation', '--full-screen'] };
  try {
    const { sessionId } = await sender(base)<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    });
    return sessionId;
  } catch (error) {
    // The driver is not listening yet.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function sender(base: string): Send {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { value } = (await response.json()) as { value: T & { error?: string } };
    if (!response.ok) throw new Error(`WebKit: ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
}

async function startDisplay(): Promise<{ display: string; server: ChildProcess }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1024x768x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, server };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
