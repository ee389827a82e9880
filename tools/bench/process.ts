// Processes of a comparison: neither heap nor compiled code is shared with another one. They run with the environment and the
// flags of the image.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What was measured, by name. */
type Figures = Readonly<Record<string, number>>

interface Started {
  round(): Promise<Figures>
  end(): Promise<void>
}

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
export const env: NodeJS.ProcessEnv = Object.fromEntries(
  Array.from(dockerfile.matchAll(/^ENV (\w+)=(.+)$/gm), ([, name, value]) => [name, value]),
)
/** Flags of Node.js. */
export const flags = (JSON.parse(/^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)![1]!) as string[]).filter((word) =>
  word.startsWith('--'),
)

/** Starts a file that calls `answer`. */
export async function start(file: URL, args: readonly (string | number)[]): Promise<Started> {
  const child = spawn(process.execPath, [...flags, fileURLToPath(file), ...args.map(String)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  const gone = once(child, 'exit')
  const ended = gone.then(([code]) => Promise.reject(new Error(`${file.pathname} ended with ${String(code)}`)))
  ended.catch(() => {})
  const next = async () => ((await Promise.race([once(child, 'message'), ended])) as [Figures])[0]
  await next()
  return {
    round() {
      child.send('round')
      return next()
    },
    async end() {
      // What it still does is not waited for.
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** In the process that was started: it has begun, and plays a round whenever it is asked. */
export function answer(round: () => Promise<Figures>): void {
  process.on('message', () => void round().then((figures) => process.send!(figures)))
  // Its parent may have been stopped.
  process.on('disconnect', () => process.exit())
  process.send!({})
}

/** Milliseconds of CPU by all threads of the process. */
export async function measured(work: () => unknown): Promise<{ cpu: number }> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1_000 }
}
