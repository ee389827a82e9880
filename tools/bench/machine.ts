// What the figures were measured on.

import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os'

export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  kernel: string
  node: string
  date: string
}

export function machine(): Machine {
  return {
    cpu: cpuModel(),
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** Some kernels tell Node nothing of it. */
function cpuModel(): string {
  const [first] = cpus()
  if (first && first.model.trim() !== '' && first.model !== 'unknown') return first.model.trim()
  return /^model name\s*: (.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown'
}
