// The release build: what ships is what the end-to-end tests run.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The program as it is installed. `setup` builds what it loads. */
export const program = fileURLToPath(new URL('../../../bin/stakewatch.cjs', import.meta.url))

export function buildRelease(folder: string): void {
  const rolldown = fileURLToPath(new URL('../../../node_modules/.bin/rolldown', import.meta.url))
  execFileSync(process.execPath, [rolldown, '--config', '--dir', folder], { cwd: root, stdio: 'pipe' })
}

/** Before the first end-to-end test. */
export function setup(): void {
  buildRelease(fileURLToPath(new URL('../../../dist', import.meta.url)))
}
