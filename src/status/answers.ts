// Answers in the forms that pages have.

import { entryOf } from '../lib/entry.ts'
import type { Answer } from '../server/routes.ts'
import { contentSecurityPolicy } from './page/document.ts'

/** Makes one answer for each status, however many clients ask for it. */
export function once<S extends object>(make: (status: S) => Answer): (status: S) => Answer {
  const made = new WeakMap<S, Answer>()
  return (status) => entryOf(made, status, () => make(status))
}

export function ofHtml(body: string): Answer {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  }
  return { type: 'text/html; charset=utf-8', headers, body }
}

export function ofJson(value: unknown): Answer {
  return { type: 'application/json', body: `${JSON.stringify(value)}\n` }
}

export function ofText(code: number, body: string): Answer {
  return { code, type: 'text/plain; charset=utf-8', body }
}
