// A draft configuration and its text: as short as possible, with comments on discovered values.

import { type PresetName, presetNames } from '../../config/presets.ts'
import type { Config } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { parseConfig } from '../config.ts'
import type { Io } from '../io.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { nodeId, subnetId, url, walletAddress } from '../../config/forms.ts'

/** `note` is a comment next to the entry. */
interface Noted {
  note?: string | undefined
}

export interface DraftNode extends Noted {
  name: string
  url: string
  nodeId?: string | undefined
  index?: boolean | undefined
  admin?: 'on' | 'forbidden' | undefined
}

export interface DraftValidator extends Noted {
  nodeId: string
  /** Name of the subnet; undefined for the primary network. */
  subnet?: string | undefined
  /** By configuration key; undefined values are omitted. */
  expect?: Readonly<Record<string, number | readonly string[] | undefined>> | undefined
}

export interface DraftSubnet extends Noted {
  id: string
  name?: string | undefined
}

export interface DraftChain extends Noted {
  id: string
  name?: string | undefined
  evmChainId?: number | undefined
}

export interface Draft {
  /** Comment lines at the top. */
  head?: readonly string[]
  name: string
  preset?: PresetName | undefined
  /** Omitted or empty: use those of the preset. */
  nodes?: readonly DraftNode[] | undefined
  validators?: readonly DraftValidator[] | undefined
  subnets?: readonly DraftSubnet[] | undefined
  /** Omitted or empty: use those of the preset. */
  chains?: readonly DraftChain[] | undefined
  wallets?: readonly string[] | undefined
}

export function textOf({ head = [], name, preset, nodes, validators, subnets, chains, wallets = [] }: Draft): string {
  const lines = [
    ...head.map((line) => `# ${line}`.trimEnd()),
    'networks:',
    `  - name: ${name}`,
    ...(preset === undefined
      ? []
      : [`    preset: ${preset} # its addresses, chains and budgets; each key that is written wins`]),
    ...list('nodes', nodes, nodeLines),
    ...list('validators', validators, validatorLines),
    ...list('subnets', subnets, subnetLines),
    ...list('chains', chains, chainLines),
    ...list('addresses', wallets, walletLines),
  ]
  return `${lines.join('\n')}\n`
}

/** Omits an empty list, because in a file it would override the list of the preset. */
function list<T>(key: string, items: readonly T[] = [], linesOf: (item: T) => Line[]): string[] {
  return items.length === 0 ? [] : [`    ${key}:`, ...items.flatMap((item) => entry(linesOf(item)))]
}

/** A key with its value as YAML, and a comment; undefined values are omitted. */
type Line = [key: string, value: string | number | boolean | undefined, note?: string | undefined]

function entry(lines: readonly Line[]): string[] {
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([key, value, note], at) => `      ${at === 0 ? '-' : ' '} ${key}: ${value}${note ? ` # ${note}` : ''}`)
}

function nodeLines({ name, url, nodeId, index, admin, note }: DraftNode): Line[] {
  return [
    ['name', name, note],
    // In a file ${NAME} is a variable; $${ is a plain ${.
    ['url', JSON.stringify(url.replaceAll('${', '$$$${'))],
    ['node_id', nodeId, 'as it says itself; its view of itself is left out'],
    ['index', index === true ? true : undefined, 'it answers'],
    // An exposure is no expectation.
    ['admin', admin === 'on' ? undefined : admin, 'it does not answer, and must not'],
  ]
}

function validatorLines({ nodeId, subnet, expect = {}, note }: DraftValidator): Line[] {
  const parts = Object.entries(expect).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [`${key}: ${typeof value === 'number' ? value : `[${value.join(', ')}]`}`]
  })
  return [
    ['node_id', nodeId, note],
    ['subnet', subnet],
    ['expect', parts.length === 0 ? undefined : `{ ${parts.join(', ')} }`],
  ]
}

function subnetLines({ id, name, note }: DraftSubnet): Line[] {
  return [
    ['id', id, note],
    ['name', name],
    ['validators', 'all', 'series of every validator in the set'],
  ]
}

function chainLines({ id, name, evmChainId, note }: DraftChain): Line[] {
  return [
    ['id', id, note],
    ['name', name],
    ['evm_chain_id', evmChainId],
  ]
}

/** A wallet is named by its address, which is all that is known about it. */
function walletLines(address: string): Line[] {
  const isEvm = address.startsWith('0x')
  return [
    ['name', isEvm ? JSON.stringify(address) : address],
    ['addresses', `[${JSON.stringify(address)}]`],
    ['chains', isEvm ? '[c-chain]' : undefined],
  ]
}

/** Throws a BaseError with code `config` that names the flags. */
export function written(draft: Draft, io: Io): { text: string; config: Config } {
  const { preset, wallets = [] } = draft
  if ((preset === undefined || preset === 'local') && wallets.some((address) => address.startsWith('0x'))) {
    throw new BaseError(
      'config',
      '--wallet: balances of 0x addresses need a data service: give --preset=mainnet or fuji, other presets have none',
    )
  }
  const text = textOf(draft)
  try {
    return { text, config: parseConfig(text, 'flags', io) }
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

/** The user did not write this file, so the error must name the flag instead of a line. */
function inFlags({ message }: BaseError): BaseError {
  const place = /^flags:\d+:\d+: networks\[0\]\.(\w+)[^:]*/gm
  return new BaseError(
    'config',
    message.replace(place, (path, list: string) => flagOf[list] ?? path),
  )
}

export interface TargetFlags {
  preset?: PresetName
  nodeUrl?: string[]
  validator?: string[]
  l1?: string[]
  wallet?: string[]
}

/** The things to watch, for use without a configuration file. */
export function targetFlags(command: Command): Command {
  const preset = new Option('--preset <network>', 'which network it is, for its public addresses and chains')
  return command
    .addOption(preset.choices(presetNames))
    .option('--node-url <url>', 'base address of a node of yours, repeatable', each(nodeUrl))
    .option('--validator <node id>', 'a validator to watch, repeatable', each(nodeId))
    .option('--l1 <subnet id>', 'an L1 to watch with all of its validators, repeatable', each(subnetId))
    .option('--wallet <address>', 'a wallet to watch, P-avax1... or 0x..., repeatable', each(walletAddress))
}

export const nodeUrl = url('http://10.0.0.5:9650', '/ext')

/** Why the text is not a value of this form of the configuration. */
export function flawOf(form: z.ZodType, text: string): string | undefined {
  return form.safeParse(text).error?.issues[0]!.message
}

function each(form: z.ZodType) {
  return (text: string, before: string[] = []) => {
    const flaw = flawOf(form, text)
    if (flaw !== undefined) throw new InvalidArgumentError(`${flaw[0]!.toUpperCase()}${flaw.slice(1)}.`)
    return [...new Set([...before, text])]
  }
}
