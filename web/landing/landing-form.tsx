import '../lib/zod-settings.ts';
import { createRoot } from 'react-dom/client';

import { validate } from '../../domain/api/validation.ts';
import { signUpForNewsletter } from '../../domain/newsletter/newsletter.endpoints.ts';
import { emailForm } from '../../domain/session/session.schema.ts';
import { ApiError, ConnectionLost } from '../lib/api-error.ts';
import { call } from '../lib/client.ts';
import { reportFailure } from '../lib/query-client.ts';
import { explain } from '../lib/explanations.ts';
import { Toaster } from '../ui/Toaster.tsx';
import { showSuccess } from '../lib/toasts.ts';

/** Adds the validation and messages of the app's forms to the landing page's form. Returns the submit function. */
export function openForm(): () => Promise<void> {
  const form = part('.newsletter', HTMLFormElement);
  const input = part('.newsletter-input', HTMLInputElement);
  const button = part('.newsletter-submit', HTMLElement);
  const fault = part('.newsletter-fault', HTMLElement);
  createRoot(part('#messages', HTMLElement)).render(<Toaster />);

  const show = (message = '') => {
    const explanation = explain(message);
    fault.replaceChildren(
      ...(message ? [textIn('en', message)] : []),
      ...(explanation === null ? [] : [' ', textIn('nb', explanation)]),
    );
    if (message) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  const check = () => {
    const result = validate(emailForm, { email: input.value });
    show(result.ok ? '' : result.faults[0]?.message);
    return result;
  };
  // After a failed submit the input is validated on each change.
  input.addEventListener('input', () => {
    if (input.hasAttribute('aria-invalid')) check();
  });

  return async () => {
    if (button.hasAttribute('aria-disabled')) return;
    const checked = check();
    if (!checked.ok) {
      input.focus();
      return;
    }
    button.setAttribute('aria-disabled', 'true');
    try {
      await call(signUpForNewsletter, { query: checked.value });
      form.reset();
      showSuccess('E-post er meldt på!');
    } catch (error) {
      reportFailure(error);
      if (error instanceof ApiError) {
        show(error.detail.find(({ field }) => field === 'email')?.message);
      } else if (!(error instanceof ConnectionLost)) throw error;
    } finally {
      button.removeAttribute('aria-disabled');
    }
  };
}

function textIn(language: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.lang = language;
  element.textContent = text;
  return element;
}

function part<E extends HTMLElement>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`landing.html has no ${selector}`);
  return found;
}
