// watch: the daemon without a configuration file, for a first look at one's own.

import type { Command } from 'commander'
import type { Config } from '../config/schema.ts'
import { written } from './draft-config.ts'
import type { Io } from './io.ts'
import { counted } from './progress-bar.ts'
import { type DaemonFlags, daemonFlags, serveUntilStopped } from './serve.ts'
import { type TargetFlags, targetFlags } from './target-flags.ts'

export function watch(program: Command, io: Io): void {
  const command: Command = program
    .command('watch')
    .description('poll and serve the metrics without a configuration file')
  daemonFlags(targetFlags(command)).action(async (flags: TargetFlags & DaemonFlags) => {
    const { preset } = flags
    if (preset === undefined) {
      command.error('error: --preset is missing: say which network it is, mainnet, fuji or local')
    }
    const config = configOf({ ...flags, preset }, io)
    await serveUntilStopped(config, flags, io, {
      announce: (url) => {
        io.stdout(`stakewatch watches ${watched(config)}.\n  metrics: ${url}\n`)
        io.stdout('  stakewatch init writes a configuration file for more.\n')
      },
    })
  })
}

type Flags = TargetFlags & Required<Pick<TargetFlags, 'preset'>>

function configOf({ preset, nodeUrl, validator, l1, wallet }: Flags, io: Io): Config {
  const draft = {
    name: preset,
    preset,
    nodes: nodeUrl?.map((url, at) => ({ name: `node-${at + 1}`, url })),
    validators: validator?.map((nodeId) => ({ nodeId })),
    subnets: l1?.map((id) => ({ id })),
    wallets: wallet,
  }
  return written(draft, io).config
}

function watched({ networks: [network] }: Config): string {
  const { preset, validators, subnets, addresses } = network!
  const numbers: [number, string][] = [
    [validators.length, 'validator'],
    // The primary network is always among them.
    [subnets.length - 1, 'L1'],
    [addresses.length, 'wallet'],
  ]
  const parts = numbers.flatMap(([number, thing]) => (number === 0 ? [] : [counted(number, thing)]))
  return `the network ${preset}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
}
