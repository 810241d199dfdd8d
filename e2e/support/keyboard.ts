import type { Locator, Page } from 'playwright-core';

/** Far more presses than any screen takes. */
const MOST_PRESSES = 250;

/** A person who has a keyboard alone: reaches each control with Tab, and uses it with the keys of its kind. */
export function keyboardOf(page: Page) {
  const { keyboard } = page;
  const reach = async (control: Locator) => {
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      const key = await control.evaluate((wanted) => {
        const { activeElement: now, body } = document;
        if (now === wanted) return null;
        const isBefore = Boolean(
          now && now.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING,
        );
        return isBefore && now !== body ? 'Shift+Tab' : 'Tab';
      });
      if (key === null) return;
      await keyboard.press(key);
    }
    throw new Error(`Tab never reached ${control.toString()}`);
  };
  return {
    reach,
    press: async (control: Locator) => {
      await reach(control);
      await keyboard.press('Enter');
    },
    check: async (box: Locator) => {
      await reach(box);
      await keyboard.press('Space');
    },
    /** Replaces a field's text; in a list of choices, it chooses the one that begins so. */
    type: async (field: Locator, text: string) => {
      await reach(field);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    paste: async (field: Locator, text: string) => {
      await reach(field);
      await keyboard.insertText(text);
    },
  };
}
