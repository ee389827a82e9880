// The release build, in a folder of its own.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export function buildRelease(folder: string): void {
  const rolldown = fileURLToPath(new URL('../../../node_modules/.bin/rolldown', import.meta.url))
  execFileSync(process.execPath, [rolldown, '--config', '--dir', folder], { cwd: root, stdio: 'pipe' })
}
