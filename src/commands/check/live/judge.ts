// One line for each watched thing, and one for each failed task that no other line covers.

import type { Network } from '../../../config/schema.ts'
import { PRIMARY_NETWORK_ID } from '../../../lib/primary-network.ts'
import { sourcesOfNetwork, type Task } from '../../../scheduler/plan.ts'
import type { Source } from '../../../upstream/source.ts'
import { judgeChain } from './chains.ts'
import { expectationLines } from './expected.ts'
import type { Line, Verdict } from './verdict.ts'
import { judgeNode, judgeService, servicesOf } from './nodes.ts'
import type { Seen } from './seen.ts'
import { judgeRequirement, judgeSubnet, judgeValidator } from './validators.ts'
import { judgeProbe, judgeRoute, judgeWallet } from './wallets.ts'

/** The collectors with metrics about watched things. Expectations may need more of them. */
const asked = new Set([
  'node-identity',
  'node-state',
  'node-health',
  'validators',
  'uptime',
  'l1-validators',
  'l1-liveness',
  'subnet',
  'subnet-owner',
  'blockchains',
  'blockchain-status',
  'primary-blocks',
  'evm-blocks',
  'head-check',
  'evm-node-heads',
  'balances',
  'native-balances',
  'node-balances',
  'transactions',
  'stakes',
  'icm',
  'signature-probe',
  'avg-tps',
])

export function tellsOfWatched({ collector }: Task): boolean {
  return asked.has(collector.name)
}

export function judge(seen: Seen): Line[] {
  const lines = seen.config.networks.flatMap((network) => linesOf(seen, network))
  const all = [...lines, ...expectationLines(seen)]
  return [...all, ...failures(seen, all)]
}

function linesOf(seen: Seen, network: Network): Line[] {
  const { name: called, nodes, validators, subnets, chains, addresses, icm, signature_probes: probes } = network
  const line = (kind: string, name: string, verdict: Verdict): Line => ({ kind, name: `${called}/${name}`, ...verdict })
  const requirement = judgeRequirement(seen, network)
  // Nodes come first.
  const sources = sourcesOfNetwork(network)
  return [
    ...(requirement ? [{ kind: 'network', name: called, ...requirement }] : []),
    ...nodes.map((node, at) => line('node', node.name, through(seen, sources[at]!, judgeNode(seen, network, node)))),
    ...servicesOf(network).map((one) => line('service', one.name, through(seen, one, judgeService(seen, one)))),
    ...validators.map((one) => line('validator', `${one.subnet}/${one.name}`, judgeValidator(seen, network, one))),
    ...subnets
      .filter(({ id }) => id !== PRIMARY_NETWORK_ID)
      .map(({ name }) => line('subnet', name, judgeSubnet(seen, network, name))),
    ...chains.map((chain) => line('chain', chain.name, judgeChain(seen, network, chain))),
    ...addresses.map((wallet) => line('wallet', wallet.name, judgeWallet(seen, network, wallet))),
    ...icm.routes.map(({ name }) => line('route', name, judgeRoute(seen, network, name))),
    ...probes.map(({ name }) => line('probe', name, judgeProbe(seen, network, name))),
  ]
}

/** Adds the proxy. A failure that names it has its own remedy. */
function through({ proxyOf }: Seen, source: Source, verdict: Verdict): Verdict {
  const proxy = proxyOf(source.url.reveal(), source)
  if (!proxy) return verdict
  const name = `the proxy ${String(proxy)}`
  if (verdict.text.includes(name)) return { ...verdict, remedy: undefined }
  return { ...verdict, text: `${verdict.text}, through ${name}` }
}

/** An upstream that is down has its own line, so tasks that only use that one need none. */
function failures({ asked: all }: Seen, lines: readonly Line[]): Line[] {
  const down = new Set(lines.filter(({ isDown }) => isDown).map(({ name }) => name))
  return all
    .filter(({ task, status }) => {
      const isExplained = task.sources.some(({ network, name }) => down.has(`${network}/${name}`))
      const isShown = lines.some(({ state, text }) => state !== 'ok' && text.includes(status.reason))
      return status.result === 'failure' && !isExplained && !isShown
    })
    .map(({ task, status }) => ({ state: 'unknown', kind: 'task', name: task.key, text: status.reason }))
}
