// init: discovers nodes and validators and writes a configuration, or compares an existing one with them.

import type { Command } from 'commander'
import { z } from 'zod'
import { networkOfPrefix } from '../../config/known-networks.ts'
import { EXPECTED_PRESET, isPublicNode, nodesOfPreset, type PresetName, presetNames } from '../../config/presets.ts'
import { nodeId, subnetId, walletAddress } from '../../config/forms.ts'
import type { Config, Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { readAddress } from '../../lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { readConfig } from '../config.ts'
import { differences } from './difference.ts'
import { flawOf, nodeUrl, type TargetFlags, targetFlags, written } from './draft.ts'
import { draftOf, type Named } from './init-draft.ts'
import { fileModes, type Io, isFile } from '../io.ts'
import { evmChainIdOf, look, type Looked, runningSubnets } from './look.ts'
import { counted, countedAll, progressBar } from '../terminal-text.ts'
import { asking } from '../query/upstream-flags.ts'
import type { Link } from '../../upstream/dispatchers.ts'

interface InitFlags extends TargetFlags {
  'config.file': string
  force?: true
}

interface Targets extends Named {
  preset: PresetName | undefined
  nodes: readonly string[]
  /** By the URL of a node. */
  links?: ReadonlyMap<string, Link>
}

export function init(program: Command, io: Io): void {
  const command = program
    .command('init')
    .description(
      'discover a node, validators, an L1 or a wallet and write a configuration; compares a file that exists',
    )
    .option('--config.file <file>', 'the configuration file', 'stakewatch.yml')
    .option('--force', 'write over a file that is there')
  targetFlags(command).action(async (flags: InitFlags) => {
    const file = flags['config.file']
    const isThere = isFile(file, io)
    const present = isThere && !flags.force ? readConfig(file, io) : undefined
    if (present && !isNamed(targetsOf(flags))) return compareChosen(present, file, io)
    const targets = await completed(targetsOf(flags), io)
    const seen = await found(targets, file, io)
    if (present) return io.setExitCode(compare(sameNetwork(present, seen), seen, file, io))
    if (!seen.looked.isAnswered) {
      io.stderr(`${file}: nothing was written, because no node answered\n`)
      return io.setExitCode(INCOMPLETE)
    }
    // URLs may have keys and passwords.
    io.writeFile(file, seen.text, fileModes.secret)
    io.stdout(`${file}: written, with ${summary(seen)}\n`)
    for (const line of alsoSeen(targets, seen.looked)) io.stdout(`  ${line}\n`)
    const requirement = requirementText(seen.looked)
    if (requirement !== undefined) io.stdout(`  ${requirement}\n`)
    const program = calledAs(io)
    io.stdout(`  ${program} check --config.file=${file} --live   checks that everything exists and is as expected\n`)
    io.stdout(`  ${program} --config.file=${file}   watches it\n`)
    if (seen.looked.flaws.length > 0) io.setExitCode(INCOMPLETE)
  })
}

/** As `check --live` ends when something is unknown, and when something is wrong. */
const INCOMPLETE = 3
const DIFFERENT = 1

/** In a checkout no program has the name; npm says which script of which package it runs. */
function calledAs({ env }: Io): string {
  const isScript = env['npm_lifecycle_event'] === 'start' && env['npm_package_name'] === 'stakewatch'
  return isScript ? 'npm start --' : 'stakewatch'
}

/** What the operator may want to know of, and the file does not have. */
function alsoSeen({ subnets, areChosen }: Targets, { nodes, blockchains }: Looked): string[] {
  const exposed = nodes.filter(({ admin }) => admin === 'on').map(({ url }) => new URL(url).host)
  const others = runningSubnets(nodes, blockchains).filter((id) => areChosen && !subnets.includes(id))
  return [
    ...exposed.map((host) => `the admin API of ${host} answers: close it, or declare \`admin: on\` if that is meant`),
    ...others.map((id) => `a node also runs a chain of ${id}: name it with --l1 to watch it`),
  ]
}

function targetsOf({ preset, nodeUrl = [], validator = [], l1 = [], wallet = [] }: TargetFlags): Targets {
  return { preset, nodes: nodeUrl, validators: validator, subnets: l1, areChosen: l1.length > 0, wallets: wallet }
}

function isNamed({ nodes, validators, subnets, wallets }: Targets): boolean {
  return [nodes, validators, subnets, wallets].some(({ length }) => length > 0)
}

/** Asks the user for values that the flags do not give. */
async function completed(given: Targets, io: Io): Promise<Targets> {
  const targets = isNamed(given) ? given : await answered(given.preset, io)
  if (!isNamed(targets)) {
    throw new BaseError('config', 'there is nothing to look at: give --node-url, --validator, --l1 or --wallet')
  }
  const preset = targets.preset ?? presetOfWallets(targets.wallets)
  if (preset !== undefined || targets.nodes.length > 0) return { ...targets, preset }
  const chosen = await questioned(
    io,
    'Which network is it: mainnet, fuji or local?',
    z.enum(presetNames, EXPECTED_PRESET),
  )
  const known = presetNames.find((one) => one === chosen)
  if (known !== undefined) return { ...targets, preset: known }
  throw new BaseError('config', 'which network is it? Give --preset=mainnet, fuji or local, or --node-url')
}

async function answered(preset: PresetName | undefined, io: Io): Promise<Targets> {
  const list = async (question: string, form: z.ZodType) => {
    const answer = await questioned(io, `${question} (empty: none)`, form)
    return answer === undefined || answer === '' ? [] : [answer]
  }
  const targets = {
    preset,
    nodes: await list('Base address of your node, such as http://10.0.0.5:9650', nodeUrl),
    validators: await list('Id of the node that validates, if it is another one', nodeId),
    subnets: await list('Subnet id of your L1', subnetId),
    wallets: await list('Address of your wallet', walletAddress),
  }
  return { ...targets, areChosen: targets.subnets.length > 0 }
}

/** Repeats the question until the answer is valid or empty. Undefined without a terminal. */
async function questioned(io: Io, question: string, form: z.ZodType): Promise<string | undefined> {
  for (;;) {
    const asked = io.question(`${question} `)
    if (asked === undefined) return undefined
    const answer = await asked
    if (answer === undefined) throw new BaseError('aborted', 'not answered: nothing was written')
    const flaw = answer === '' ? undefined : flawOf(form, answer)
    if (flaw === undefined) return answer
    io.stderr(`${flaw}\n`)
  }
}

/** Addresses of the primary network identify the network. */
function presetOfWallets(wallets: readonly string[]): PresetName | undefined {
  const prefixes = wallets.flatMap((wallet) => readAddress(wallet).value?.prefix ?? [])
  const [network] = prefixes.flatMap((prefix) => networkOfPrefix(prefix) ?? [])
  return network === 'custom' ? 'local' : network
}

interface Found {
  text: string
  network: Network
  looked: Looked
}

async function found({ preset, nodes, ...named }: Targets, file: string, io: Io): Promise<Found> {
  const urls = nodes.length > 0 || preset === undefined ? nodes : nodesOfPreset(preset)
  const showProgress = (done: number, all: number) =>
    io.progress(progressBar(done, all, `${done} of ${counted(all, 'blockchain')}`))
  const looked = await asking(io, PATIENCE, (ask) => look(ask, { urls, ...named, network: preset }, showProgress))
  for (const flaw of looked.flaws) io.stderr(`${flaw}\n`)
  for (const one of unverified(named, looked)) io.stderr(`could not be verified: ${one}\n`)
  const { text, config } = written(draftOf(named, looked, file), io)
  return { text, network: config.networks[0]!, looked }
}

/** Timeout of each request in milliseconds; short, because a user is waiting. */
const PATIENCE = 15_000

function sameNetwork({ networks }: Config, { network }: Found): Network | undefined {
  return networks.find((one) => one.network === network.network)
}

/** Returns the exit code. */
function compare(present: Network | undefined, { network, looked }: Found, file: string, io: Io): number {
  if (!looked.isAnswered) {
    io.stdout(`${file}: not compared, because no node answered\n`)
    return INCOMPLETE
  }
  const lines = present ? differences(present, network, looked) : [`+ network ${network.name}: not in the file`]
  for (const line of lines) io.stdout(`${line}\n`)
  const missing = looked.flaws.length === 0 ? '' : '; what could not be looked at was not compared'
  if (lines.length === 0) {
    io.stdout(`${file}: is up to date${missing}\n`)
    return missing === '' ? 0 : INCOMPLETE
  }
  io.stdout(
    `${file}: ${counted(lines.length, 'difference')}${missing}. Nothing was written: --force replaces the file\n`,
  )
  return DIFFERENT
}

/** Looks again at everything that the networks of a file name. */
async function compareChosen({ networks }: Config, file: string, io: Io): Promise<void> {
  const codes: number[] = []
  for (const present of networks) {
    codes.push(compare(present, await found(targetsIn(present), file, io), file, io))
  }
  io.setExitCode([DIFFERENT, INCOMPLETE].find((code) => codes.includes(code)) ?? 0)
}

function targetsIn({ preset, network, nodes, validators, subnets, addresses }: Network): Targets {
  const own = nodes.map(({ url }) => url.reveal()).filter((url) => !isPublicNode(url))
  return {
    links: new Map(nodes.map(({ url, proxy, tls_config: tls }) => [url.reveal(), { proxy, tls }])),
    preset: preset ?? (network === 'custom' ? 'local' : network),
    nodes: own,
    validators: [...new Set(validators.map(({ node_id }) => node_id))],
    subnets: subnets.map(({ id }) => id).filter((id) => id !== PRIMARY_NETWORK_ID),
    areChosen: false,
    wallets: addresses.flatMap((wallet) => wallet.addresses),
  }
}

function summary({ network: { validators, subnets, addresses }, looked: { nodes } }: Found): string {
  return countedAll({
    node: nodes.length,
    validator: validators.length,
    subnet: subnets.length - 1,
    wallet: addresses.length,
  })
}

/** Inputs that could not be verified, as sentences with a remedy. */
function unverified({ validators, subnets }: Named, looked: Looked): string[] {
  return [
    ...validators
      .filter((nodeId) => isMissing(nodeId, looked))
      .map((nodeId) => `validator ${nodeId} is in no set that was looked at: is its id right?`),
    ...subnets
      .filter((id) => looked.members.get(id)?.length === 0)
      .map((id) => `subnet ${id} has no validators, or does not exist: is its id right?`),
    ...ofCustomNetwork(looked),
  ]
}

/** Only complete sets prove that a validator is in none of them. */
function isMissing(nodeId: string, { validators, members }: Looked): boolean {
  if (validators === undefined) return false
  return ![validators, ...members.values()].some((set) => set.some(({ nodeID }) => nodeID === nodeId))
}

function ofCustomNetwork(looked: Looked): string[] {
  const { network, helicon } = looked
  if (network !== 'local') return []
  return [
    ...(evmChainIdOf(looked, 'C') === undefined
      ? ['the EVM chain id of the C-Chain is unknown: add evm_chain_id to c-chain for metrics of its blocks']
      : []),
    ...(helicon === undefined
      ? ['which uptime stakes need is unknown: add upgrade_time, when Helicon comes into force']
      : []),
  ]
}

/** The uptime that the nodes of a custom network require; undefined if they do not report it, or for known networks. */
function requirementText({ helicon }: Looked): string | undefined {
  if (helicon === undefined) return undefined
  if (helicon.time === undefined) return 'stakes need 80% uptime: by its nodes, Helicon is not scheduled'
  const from = new Date(helicon.time * 1_000).toISOString().replace('.000', '')
  return `stakes need 90% uptime from ${from} on, earlier ones 80%: so its nodes say`
}
