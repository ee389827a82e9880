// What needs attention of chains, and of networks as a whole, as the alert rules about chains have it (alerts/chains.ts,
// alerts/heads.ts).

import { thresholds as limits } from '../alerts/thresholds.ts'
import type { Reading } from '../metrics/read.ts'
import { finding } from './findings.ts'
import { ofChain, ofNetwork } from './metrics.ts'
import type { Said } from './readings.ts'
import type { Finding } from './schema.ts'
import { durationText, percent } from './words.ts'

/** When a collector last succeeded for a target, in seconds; that for a source, where each of them is asked for itself. */
export type Asked = (collector: string, source?: string) => number | null

export interface AroundChain {
  asked: Asked
  /** Nodes that belong to another network. */
  foreign: ReadonlySet<string>
  /** Of one of the chains of the network the data service does not list what nodes have. */
  isServiceBehind: boolean
  /** All that could tell of it has been asked, and nothing keeps it from answering. */
  isUnknownNews: boolean
}

/** By how many blocks the list of the data service is behind the nodes, and has been for minutes; null when it is not. */
export function listedBehind(own: Said, { asked, foreign }: Pick<AroundChain, 'asked' | 'foreign'>): number | null {
  const { primary, evm } = listedAges(own, asked)
  const blocks = ahead(own, foreign, ofChain.nodeHeadHeight, ofChain.headHeight)
  if (blocks !== null && primary !== null && primary > limits.listedBehind) return blocks
  const evmBlocks = ahead(own, foreign, ofChain.nodeEvmHeadHeight, ofChain.evmHeadHeight)
  return evmBlocks !== null && evm !== null && evm > limits.listedBehind ? evmBlocks : null
}

export function findingsOfChain(own: Said, around: AroundChain): Finding[] {
  const behind = listedBehind(own, around)
  const stalled = stalledFor(own, around)
  const found: Finding[] = []
  if (stalled !== null)
    found.push(finding('StakewatchChainStalled', `its newest block is ${durationText(stalled)} old`))
  if (isNowhereRunning(own))
    found.push(finding('StakewatchChainNotRunning', 'no node runs it, and no service lists it'))
  if (behind !== null) {
    found.push(
      finding('StakewatchDataServiceBehind', `the data service does not list ${behind} blocks that nodes have`),
    )
  }
  const mismatches = [ofChain.blocksMismatch, ofChain.utxosMismatch].some((metric) => own.isSo(metric) === true)
  // What they say of supplies and of balances of L1 validators is about subnets, and not told here.
  if (mismatches) found.push(finding('StakewatchSourcesDisagree', OTHER_CHAIN))
  if (stalled === null) found.push(...aboutThroughput(own))
  if (around.isUnknownNews && !isToldOf(own)) {
    found.push(finding('StakewatchChainUnknown', 'no source tells a head or a status of it'))
  }
  return found
}

export const OTHER_CHAIN = 'the data service answers with the data of another chain or network'

/** How old what the data service lists was when it was read. */
function listedAges(own: Said, asked: Asked) {
  const age = (collector: string, metric: string) => difference(asked(collector), own.value(metric))
  return { primary: age('primary-blocks', ofChain.headTime), evm: age('evm-blocks', ofChain.evmHeadTime) }
}

/** More than a few blocks that nodes have and the data service does not list. */
function ahead(own: Said, foreign: ReadonlySet<string>, ofNodes: string, listed: string): number | null {
  const highest = Math.max(...ofNetworkOnly(own.all(ofNodes), foreign).map(({ value }) => value))
  const blocks = difference(Number.isFinite(highest) ? highest : null, own.value(listed))
  return blocks !== null && blocks > limits.listedBehindBlocks ? blocks : null
}

const ofNetworkOnly = (all: readonly Reading[], foreign: ReadonlySet<string>) =>
  all.filter(({ labels: { source = '' } }) => !foreign.has(source))

const difference = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)

/** The youngest block counts: whoever has an older one may lag. A service that lags on one chain is no witness for any. */
function stalledFor(own: Said, { asked, foreign, isServiceBehind }: AroundChain): number | null {
  const threshold = own.value(ofChain.threshold)
  const { primary, evm } = listedAges(own, asked)
  const ofNodes = own
    .all(ofChain.nodeEvmHeadTime)
    .map(({ labels: { source = '' }, value }) => difference(asked('evm-node-heads', source), value))
  const ages = [...(isServiceBehind ? [] : [primary, evm]), ...ofNodes].filter((age) => age !== null)
  if (threshold === null || ages.length === 0) return null
  const youngest = Math.min(...ages)
  const goesOn = ahead(own, foreign, ofChain.nodeHeadHeight, ofChain.headHeight) !== null
  return youngest > threshold && !goesOn ? youngest : null
}

function isNowhereRunning(own: Said): boolean {
  const states = own.all(ofChain.nodeState)
  const any = (...wanted: string[]) =>
    states.some(({ labels: { state = '' }, value }) => wanted.includes(state) && value === 1)
  const isConfigured = own.value(ofChain.threshold) !== null
  return isConfigured && any('bootstrapping', 'dead') && !any('running') && own.value(ofChain.evmHeadTime) === null
}

function aboutThroughput(own: Said): Finding[] {
  const average = (window: string) =>
    own.all(ofChain.throughput).find(({ labels }) => labels['statistic'] === 'average' && labels['window'] === window)
      ?.value
  const [hour, day] = [average('hour'), average('day')]
  if (hour === undefined || day === undefined || day < limits.throughputLeast) return []
  if (hour >= limits.throughputShare * day) return []
  const text = `it takes ${percent(hour / day)} of the transactions of the day before`
  return [finding('StakewatchThroughputCollapsed', text)]
}

function isToldOf(own: Said): boolean {
  const heads = [ofChain.headHeight, ofChain.evmHeadHeight, ofChain.nodeHeadHeight, ofChain.nodeState]
  const isListed = own.all(ofChain.status).some(({ labels, value }) => labels['state'] !== 'unknown' && value === 1)
  return isListed || heads.some((metric) => own.all(metric).length > 0)
}

export function findingsOfNetwork(own: Said): Finding[] {
  const [price, least] = [own.value(ofNetwork.gasPrice), own.value(ofNetwork.gasMinPrice)]
  if (price === null || least === null || price <= limits.gasPriceRise * least) return []
  return [
    finding('StakewatchGasPriceHigh', `gas on the P-Chain costs ${Math.floor(price / least)} times the least price`),
  ]
}
