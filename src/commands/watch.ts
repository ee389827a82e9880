// watch: the daemon without a configuration file, for a first look at one's own.

import type { Command } from 'commander'
import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import { parseConfig } from './config.ts'
import { textOf } from './draft.ts'
import type { Io } from './io.ts'
import { counted } from './progress-bar.ts'
import { type DaemonFlags, daemonFlags, serveUntilStopped } from './serve.ts'
import { type TargetFlags, targetFlags } from './target-flags.ts'

export function watch(program: Command, io: Io): void {
  const command = program.command('watch').description('poll and serve the metrics without a configuration file')
  daemonFlags(targetFlags(command)).action(async (flags: TargetFlags & DaemonFlags) => {
    const { preset } = flags
    if (preset === undefined) {
      return command.error('error: --preset is missing: say which network it is, mainnet, fuji or local')
    }
    const config = configOf({ ...flags, preset }, io)
    await serveUntilStopped(config, flags, io, (url) => {
      io.stdout(`stakewatch watches ${watched(config)}.\n  metrics: ${url}\n`)
      io.stdout('  stakewatch init writes a configuration file for more.\n')
    })
  })
}

type Flags = TargetFlags & Required<Pick<TargetFlags, 'preset'>>

function configOf({ preset, nodeUrl, validator, l1, wallet = [] }: Flags, io: Io): Config {
  if (preset === 'local' && wallet.some((address) => address.startsWith('0x'))) {
    throw new BaseError(
      'config',
      '--wallet: what 0x addresses have is told by the data service, and the preset local has none',
    )
  }
  const text = textOf({
    name: preset,
    preset,
    nodes: nodeUrl?.map((url, at) => ({ name: `node-${at + 1}`, url })),
    validators: validator?.map((nodeId) => ({ nodeId })),
    subnets: l1?.map((id) => ({ id })),
    wallets: wallet,
  })
  try {
    return parseConfig(text, 'flags', io)
  } catch (thrown) {
    throw thrown instanceof BaseError && thrown.code === 'config' ? inFlags(thrown) : thrown
  }
}

const flagOf: Readonly<Record<string, string>> = {
  nodes: '--node-url',
  validators: '--validator',
  subnets: '--l1',
  addresses: '--wallet',
}

/** Nobody wrote the file that the lines are of: it is the flag that has to be corrected. */
function inFlags({ message }: BaseError): BaseError {
  const words = message.replace(
    /^flags:\d+:\d+: networks\[0\]\.(\w+)[^:]*/gm,
    (path, list: string) => flagOf[list] ?? path,
  )
  return new BaseError('config', words)
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
