// catalogue: all metrics, as a table or as JSON.

import type { Command } from 'commander'
import { collectors } from '../collectors/index.ts'
import { daemonMetrics } from '../self/daemon-metrics.ts'
import type { Metric } from '../metrics/define.ts'
import { selfMetrics } from '../self/instance.ts'
import { storageMetrics } from '../storage/storage-metrics.ts'
import { configurationMetrics } from '../self/known.ts'
import type { Io } from './io.ts'
import { aligned } from './terminal-text.ts'

interface Entry extends Omit<Metric, 'stability'> {
  /** The collector that publishes it, or the part of the daemon: configuration, daemon, process, storage. */
  owner: string
  stability: 'experimental' | 'stable'
}

/** Every metric with our prefix, in the order of the exposition. Other process metrics depend on the machine. */
export function everyMetric(): Entry[] {
  return entries([
    ...collectors,
    { name: 'configuration', metrics: configurationMetrics },
    { name: 'daemon', metrics: daemonMetrics },
    { name: 'process', metrics: selfMetrics },
    { name: 'storage', metrics: storageMetrics },
  ])
}

/** In a fixed order of keys, without the other fields of a definition. */
export function entries(owners: readonly { name: string; metrics: readonly Metric[] }[]): Entry[] {
  return owners.flatMap(({ name: owner, metrics }) =>
    metrics.map(({ name, type, help, labels, buckets, stability = 'experimental' as const }): Entry => ({
      name,
      type,
      help,
      labels,
      ...(buckets && { buckets }),
      owner,
      stability,
    })),
  )
}

export function catalogue(program: Command, io: Io): void {
  const command = program.command('catalogue').description('list every metric')
  command
    .addOption(command.createOption('--output <form>', 'form of the list').choices(['table', 'json']).default('table'))
    .action(({ output }: { output: 'table' | 'json' }) => {
      const all = everyMetric()
      io.stdout(output === 'json' ? `${JSON.stringify(all, undefined, 2)}\n` : table(all))
    })
}

/** The description, which is long, comes last. */
function table(all: readonly Entry[]): string {
  const row = ({ name, type, owner, stability, labels, help }: Entry) => {
    return [name, type, owner, stability, labels.join(',') || '-', help]
  }
  const rows = [['METRIC', 'TYPE', 'OWNER', 'STABILITY', 'LABELS', 'DESCRIPTION'], ...all.map(row)]
  return `${aligned(rows).join('\n')}\n`
}
