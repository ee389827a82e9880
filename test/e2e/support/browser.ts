// Debian's chromium, which tests drive.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's package chromium. */
export const CHROMIUM = '/usr/bin/chromium'
export const isThere = existsSync(CHROMIUM)

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    // Nothing but the page is loaded, and root has no sandbox.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
