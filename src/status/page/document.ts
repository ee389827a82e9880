// The HTML document around a page, and its content security policy.

import { createHash } from 'node:crypto'
import { type Html, markup, type Part, trusted, written } from './markup.ts'
import { style } from './style.ts'

/** The page has no script, loads nothing and cannot be framed. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`

/** `more` is added to the head. */
export function documentOf(title: string, body: Html, more?: Part): string {
  return written(
    markup`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          ${more}
          <title>${title}</title>
          <style>${trusted(style)}</style>
        </head>
        <body>
          ${body}
        </body>
      </html> `,
  )
}

/** A page below another one, to which it leads back. */
export function innerPage(title: string, content: Part, back: { path: string; name: string }): string {
  return documentOf(
    `${title} - stakewatch`,
    markup`<header>
            <nav aria-label="Back"><a href="${back.path}">${back.name}</a></nav>
            <h1>${breakable(title)}</h1>
          </header>
          <main>${content}</main>`,
  )
}

/** The name of an alert is wider than a phone: it breaks between its words. */
const breakable = (name: string): Html[] =>
  name.split(/(?<=[a-z])(?=[A-Z])/).map((word, at) => markup`${at > 0 && markup`<wbr />`}${word}`)
