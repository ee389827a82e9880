// The release build: what ships is what the end-to-end tests run.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageFile from '../../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The program as it is installed. `setup` builds what it loads. */
export const program = fileURLToPath(new URL('../../../bin/stakewatch.cjs', import.meta.url))

export function buildRelease(folder: string): void {
  const rolldown = fileURLToPath(new URL('../../../node_modules/.bin/rolldown', import.meta.url))
  execFileSync(process.execPath, [rolldown, '--config', '--dir', folder], { cwd: root, stdio: 'pipe' })
}

/**
 * The tarball that npm publishes, in the folder. `prepack` would build the program again, and other tests run it meanwhile.
 */
export function packRelease(folder: string): string {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`], {
    cwd: root,
    stdio: 'pipe',
  })
  return join(folder, `stakewatch-${packageFile.version}.tgz`)
}

/** Before the first end-to-end test. */
export function setup(): void {
  buildRelease(fileURLToPath(new URL('../../../dist', import.meta.url)))
}
