// The environment in which the release is measured: that of the image and of the systemd unit.

import { readFileSync } from 'node:fs'

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  ...Object.fromEntries(Array.from(dockerfile.matchAll(/^ENV (\w+)=(.+)$/gm), ([, name, value]) => [name!, value!])),
}
