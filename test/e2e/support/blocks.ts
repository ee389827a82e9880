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

/** Adds blocks to the folder. They span weeks: promtool reads its whole input again for each. */
export async function writeBlocks(folder: string, series: readonly Written[]): Promise<void> {
  const lines = series.flatMap(({ name, labels, samples }) => {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    return samples.map(([time, value]) => `${name}{${pairs.join(',')}} ${value} ${time}\n`)
  })
  const temporary = await temporaryFolder()
  try {
    const file = join(temporary.path, 'samples.txt')
    await writeFile(file, `${lines.join('')}# EOF\n`)
    const words = ['create-blocks-from', 'openmetrics', '--quiet', '--max-block-duration=744h', file, folder]
    await promisify(execFile)('promtool', ['tsdb', ...words])
  } finally {
    await temporary.remove()
  }
}
