// The environment in which the release is measured, and its flags: those of the image and of the systemd unit.

import { readFileSync } from 'node:fs'

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  ...Object.fromEntries(Array.from(dockerfile.matchAll(/^ENV (\w+)=(.+)$/gm), ([, name, value]) => [name!, value!])),
}

/** Flags of Node.js. */
export const flags: readonly string[] = (JSON.parse(/^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)![1]!) as string[]).filter(
  (word) => word.startsWith('--'),
)
