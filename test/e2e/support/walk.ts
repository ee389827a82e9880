// A page whose shell commands are carried out in their order, as a reader would type them into one terminal.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { start, type Started } from './processes.ts'

export interface Block {
  language: string
  text: string
}

/** What stands between fences. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }))
}

export interface Terminal {
  /** Gives what it said; throws when a command of it fails. The folder and the environment stay for the next block. */
  run(text: string): Promise<string>
  /** Another terminal in the same folder, for a command that does not end by itself. */
  background(text: string): Started
}

export async function openTerminal(folder: string, environment: Readonly<Record<string, string>>): Promise<Terminal> {
  const state = join(folder, '.terminal')
  const quoted = Object.entries({ ...environment, PWD: folder }).map(([key, text]) => `export ${key}='${text}'\n`)
  await writeFile(state, quoted.join(''))
  const before = `set -euo pipefail; source '${state}'; cd "$PWD"\n`
  return {
    async run(text) {
      const script = `${before}${text}\nexport -p > '${state}'`
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { timeout: 50_000 })
      return stdout
    },
    background: (text) => start('bash', ['-c', `${before}exec ${text}`]),
  }
}
