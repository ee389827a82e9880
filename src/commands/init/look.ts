// Discovers nodes and the things that their operator may want to watch. Each request may fail on its own: failures are listed, and
// the rest is used.

import { BaseError, type ErrorCode, toBaseError } from '../../errors.ts'
import { readAddress, readId, readNodeId } from '../../lib/ids.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type AnswerOf, type Operation, type Params, parseAnswer, toWire } from '../../operations/define.ts'
import { getNodeID, upgrades } from '../../operations/node/info.ts'
import type { AskBody } from '../../upstream/transports.ts'
import type { Link } from '../../upstream/dispatchers.ts'
import type { Source } from '../../upstream/source.ts'
import { isPublicNode, type PresetName } from '../../config/presets.ts'
import { heliconTime } from '../../judgements/upgrades.ts'
import { bareAddress, blockchainIds, PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { ethChainId } from '../../operations/node/chains.ts'
import { getLoggerLevel } from '../../operations/node/admin.ts'
import { getLastAccepted } from '../../operations/node/indexes.ts'
import { getBlockchains, getBlockchainStatus } from '../../operations/node/platform-subnets.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'

type Asking = ReturnType<typeof createAsking>

/** Errors that end the requests to this node: each further one would wait as long. */
const unreachable: readonly ErrorCode[] = ['network', 'timeout']
/** Errors with which a node answers that it lacks an optional API, or what was asked for. */
const lacking: readonly ErrorCode[] = ['unsupported', 'not_found']

/** Requests to one node. Failures become flaws, unless a failure is an answer itself. */
function createAsking(ask: AskBody, url: string, flaws: string[], link: Link = {}) {
  const secret = secretUrl(url)
  const shown = String(secret)
  const source: Source = { service: 'node', network: '', name: shown, url: secret, ...link }
  const nodeIds = new Set<string>()
  let isGone = false
  let hasAnswered = false

  async function answerTo<O extends Operation>(operation: O, params: Params<O>): Promise<AnswerOf<O>> {
    const { raw, nodeId } = await ask(source, operation, toWire(operation, params))
    hasAnswered = true
    if (nodeId !== undefined && isNodeId(nodeId)) nodeIds.add(nodeId)
    try {
      return parseAnswer(operation, raw).value
    } catch (cause) {
      throw new BaseError('bad_response', 'the answer does not have the documented form', { cause })
    }
  }

  /** The answer, or the error; neither if no further request may be sent. */
  async function attempt<O extends Operation>(
    operation: O,
    params: Params<O>,
    what: string,
    quiet: readonly ErrorCode[] = [],
  ): Promise<{ answer?: AnswerOf<O>; code?: ErrorCode }> {
    if (isGone) return {}
    try {
      return { answer: await answerTo(operation, params) }
    } catch (thrown) {
      const { code, message } = toBaseError(thrown)
      if (quiet.includes(code)) return { code }
      // Without a node at the address, nothing else is worth asking.
      isGone = operation === (getNodeID as Operation) || unreachable.includes(code)
      // It says more than the request that failed before it.
      if (operation === (getNodeID as Operation)) flaws.pop()
      flaws.push(`${flawOf(operation, what)}: ${message}`)
      return { code }
    }
  }

  function flawOf(operation: Operation, what: string): string {
    if (operation === (getNodeID as Operation)) return `no node answers at ${shown}`
    if (!isGone) return `node ${shown} did not say ${what}`
    return hasAnswered ? `node ${shown} stopped answering when asked ${what}` : `node ${shown} did not answer`
  }

  return {
    shown,
    /** The node ids that have answered at the address so far. */
    nodeIds: nodeIds as ReadonlySet<string>,
    /** Undefined if the request failed. */
    async for<O extends Operation>(operation: O, params: Params<O>, what: string) {
      return (await attempt(operation, params, what)).answer
    },
    /** The same for optional APIs: a missing one is not a failure. */
    async ask<O extends Operation>(operation: O, params: Params<O>, what: string) {
      return (await attempt(operation, params, what, lacking)).answer
    },
    /** Whether a node answers. */
    async isNode() {
      return (await attempt(getNodeID, {}, 'its node id')).answer !== undefined
    },
    /** Whether an API answers at all. */
    async answers<O extends Operation>(operation: O, params: Params<O>, what: string) {
      const { answer, code } = await attempt(operation, params, what, lacking)
      if (code === 'unsupported') return false
      return answer !== undefined || code === 'not_found' ? true : undefined
    },
  }
}

function isNodeId(text: string): boolean {
  return readNodeId(text).wrong === undefined
}

export type Blockchain = AnswerOf<typeof getBlockchains>['blockchains'][number]
export type ValidatorRecord = AnswerOf<typeof getCurrentValidators>['validators'][number]

export type LookedNode = Awaited<ReturnType<typeof lookAtNode>>
export type Looked = Awaited<ReturnType<typeof look>>

export interface Wanted {
  /** Base URLs, in the order of the requests. */
  urls: readonly string[]
  /** How they are reached, where a configuration says it. */
  links?: ReadonlyMap<string, Link> | undefined
  subnets: readonly string[]
  /** Whether the operator named the subnets, and wants no others. */
  areChosen: boolean
  /** Undefined: use the network that the nodes report. */
  network: PresetName | undefined
}

/** `progress` receives the number of blockchains checked so far, and the total. */
export async function look(ask: AskBody, wanted: Wanted, progress: (done: number, all: number) => void) {
  const { urls, links, network } = wanted
  const flaws: string[] = []
  // The operator's nodes, without public ones.
  const nodes: LookedNode[] = []
  const all: Asking[] = []
  let found: { network: PresetName; shown: string } | undefined
  let blockchains: readonly Blockchain[] | undefined
  let isAnswered = false
  for (const url of urls) {
    const asking = createAsking(ask, url, flaws, links?.get(url))
    all.push(asking)
    const chains = (await asking.for(getBlockchains, {}, 'which blockchains there are'))?.blockchains.filter(
      isBlockchain,
    )
    const here = chains && networkOf(chains)
    if (here !== undefined) {
      refuseOther(asking.shown, here, found, network)
      found ??= { network: here, shown: asking.shown }
    }
    blockchains ??= chains
    // Any server may answer 404, so first check that this is a node.
    const isNode = chains !== undefined || (await asking.isNode())
    isAnswered ||= isNode
    if (isPublicNode(url)) continue
    nodes.push(isNode ? await lookAtNode(asking, url, chains, progress) : { ...NOTHING_KNOWN, url })
  }
  const validatorsOf = async (params: Params<typeof getCurrentValidators>, what: string) => {
    const answer = await firstOf(all, (one) => one.for(getCurrentValidators, params, `the validators of ${what}`))
    return answer?.validators.filter(isValidator)
  }
  const validators = await validatorsOf({}, 'the primary network')
  const members = new Map<string, readonly ValidatorRecord[]>()
  for (const subnetID of watchedSubnets(wanted, nodes, blockchains)) {
    const set = await validatorsOf({ subnetID }, `the subnet ${subnetID}`)
    if (set) members.set(subnetID, set)
  }
  // A custom network is called local; the name that a node reports is more precise.
  const known = network === 'local' ? (found?.network ?? network) : (network ?? found?.network)
  const askForUpgrades = (one: Asking) => one.ask(upgrades, {}, 'which upgrades it knows')
  const scheduled = known === 'local' ? await firstOf(all, askForUpgrades) : undefined
  const helicon = scheduled && { time: heliconTime(scheduled) }
  return {
    network: known,
    nodes,
    /** Undefined if the requests failed, as `validators` and `helicon`. */
    blockchains,
    /** Of the primary network. */
    validators,
    /** Of the other discovered subnets, by subnet id. */
    members,
    /** For a custom network: the time of the upgrade to 90 % uptime that its nodes report. */
    helicon,
    /** Whether any node answered, yours or a public one. */
    isAnswered,
    /** Failed requests, as sentences. */
    flaws,
  }
}

const NOTHING_KNOWN = {
  nodeId: undefined,
  isSeveral: false,
  index: undefined,
  admin: undefined,
  runs: [],
  evmChainIds: new Map<string, number>(),
}

async function firstOf<T>(
  all: readonly Asking[],
  ask: (one: Asking) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const one of all) {
    const answer = await ask(one)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Those that were named, and those of which a node runs a chain, unless the operator chose. */
export function watchedSubnets(
  { subnets, areChosen }: Pick<Wanted, 'subnets' | 'areChosen'>,
  nodes: readonly LookedNode[],
  blockchains?: readonly Blockchain[],
): readonly string[] {
  return [...new Set([...subnets, ...(areChosen ? [] : runningSubnets(nodes, blockchains))])]
}

export function runningSubnets(nodes: readonly LookedNode[], blockchains: readonly Blockchain[] = []): string[] {
  const running = new Set(nodes.flatMap(({ runs }) => runs))
  return [...new Set(blockchains.flatMap(({ id, subnetID }) => (running.has(id) ? (subnetID ?? []) : [])))]
}

/** Drops invalid ids and addresses: they go into a file, and a node could inject anything. */
function isBlockchain({ id, subnetID = '' }: Blockchain): boolean {
  return isId(id) && isId(subnetID)
}

function isValidator(record: ValidatorRecord): boolean {
  const { validationRewardOwner, delegationRewardOwner, remainingBalanceOwner } = record
  const owners = [validationRewardOwner, delegationRewardOwner, remainingBalanceOwner]
  const addresses = owners.flatMap((owner) => owner?.addresses ?? [])
  return isNodeId(record.nodeID) && addresses.every((address) => readAddress(address).wrong === undefined)
}

function isId(text: string): boolean {
  return readId(text).wrong === undefined
}

/** The reward addresses of a validator in node form; undefined if one kind of reward is unknown. */
export function rewardedBy({ validationRewardOwner, delegationRewardOwner }: ValidatorRecord): string[] | undefined {
  const [validation, delegation] = [validationRewardOwner?.addresses, delegationRewardOwner?.addresses]
  return validation && delegation && asWritten([...validation, ...delegation])
}

export function asWritten(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => `P-${bareAddress(address)}`))].toSorted()
}

async function lookAtNode(
  asking: Asking,
  url: string,
  blockchains: readonly Blockchain[] | undefined,
  progress: (done: number, all: number) => void,
) {
  const admin = await asking.answers(getLoggerLevel, {}, 'whether its admin interface answers')
  const index = await asking.answers(getLastAccepted, { chain: 'P', kind: 'block' }, 'whether it has an index')
  const others = (blockchains ?? []).filter(({ subnetID }) => subnetID !== PRIMARY_NETWORK_ID)
  const runs: string[] = []
  for (const [at, { id }] of others.entries()) {
    progress(at, others.length)
    const answer = await asking.for(getBlockchainStatus, { blockchainID: id }, `whether it runs the blockchain ${id}`)
    // The first answer is enough.
    if (answer === undefined) break
    if (/^(validating|syncing)$/i.test(answer.status)) runs.push(id)
  }
  // Known networks need no request.
  const isOwn = blockchains !== undefined && networkOf(blockchains) === 'local'
  const evmChainIds = new Map<string, number>()
  for (const chain of [...(isOwn ? ['C'] : []), ...runs]) {
    const number = await asking.ask(ethChainId, { chain }, `the EVM chain id of ${chain}`)
    if (number !== undefined) evmChainIds.set(chain, Number(number))
  }
  const [nodeId, another] = [...asking.nodeIds]
  return {
    url,
    /** Undefined if the request failed, or if several nodes answer at the address. */
    nodeId: another === undefined ? nodeId : undefined,
    isSeveral: another !== undefined,
    index,
    admin: admin === undefined ? undefined : admin ? ('on' as const) : ('forbidden' as const),
    /** Ids of the blockchains that it runs, other than those of the primary network. */
    runs,
    /** Numbers of EVM chains that it runs, by `C` and the ids of other blockchains. */
    evmChainIds,
  }
}

/** EVM chain numbers by `C` or blockchain id; undefined if no node reports one. */
export function evmChainIdOf({ nodes }: Pick<Looked, 'nodes'>, chain: string): number | undefined {
  return nodes.map(({ evmChainIds }) => evmChainIds.get(chain)).find((number) => number !== undefined)
}

/** Identifies the network by its X- and C-Chain ids, which differ between networks. */
function networkOf(blockchains: readonly Blockchain[]): PresetName | undefined {
  const ids = new Set(blockchains.map(({ id }) => id))
  const known = (['mainnet', 'fuji'] as const).find((network) =>
    Object.values(blockchainIds[network]!).some((id) => ids.has(id)),
  )
  // Without these chains, the network stays unknown.
  return known ?? (blockchains.some(({ subnetID }) => subnetID === PRIMARY_NETWORK_ID) ? 'local' : undefined)
}

function refuseOther(
  shown: string,
  here: PresetName,
  found: { network: PresetName; shown: string } | undefined,
  wanted: PresetName | undefined,
): void {
  const known = found?.network ?? (wanted === 'local' ? undefined : wanted)
  if (known === undefined || known === here) return
  const other = found ? `node ${found.shown} is one of ${found.network}` : `--preset says ${known}`
  const called = here === 'local' ? 'a network of its own' : here
  throw new BaseError(
    'config',
    `node ${shown} is one of ${called}, and ${other}: write a configuration for each network`,
  )
}
