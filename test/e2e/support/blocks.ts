// Blocks of Prometheus from samples that a test writes, by promtool.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './processes.ts'

export interface Written {
  name: string
  labels: Readonly<Record<string, string>>
  /** Seconds since the epoch, in their order; each value as text. */
  samples: readonly (readonly [time: number, value: string])[]
}

const DAY = 86_400

/** Adds blocks to the folder. Day by day, as promtool reads its whole input again for each block of two hours. */
export async function writeBlocks(folder: string, series: readonly Written[]): Promise<void> {
  const days = new Map<number, string[]>()
  for (const { name, labels, samples } of series) {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    const start = `${name}{${pairs.join(',')}}`
    for (const [time, value] of samples) {
      const day = Math.floor(time / DAY)
      const lines = days.get(day) ?? []
      days.set(day, lines)
      lines.push(`${start} ${value} ${time}\n`)
    }
  }
  const temporary = await temporaryFolder()
  try {
    for (const [day, lines] of days) {
      const file = join(temporary.path, `${day}.txt`)
      await writeFile(file, `${lines.join('')}# EOF\n`)
      await promisify(execFile)('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', file, folder])
    }
  } finally {
    await temporary.remove()
  }
}
