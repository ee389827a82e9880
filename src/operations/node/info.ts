// What a node says about itself: who it is, its peers, its health.

import { z } from 'zod'
import { count, isoTime, measure, optional, orNone, percent, timeOrNever, word } from '../fields.ts'
import { defineMethod } from './method.ts'

/** Which network the asked node belongs to. */
export const getNetworkID = defineMethod({
  name: 'info.getNetworkID',
  answer: z.object({ networkID: count.describe('1 is mainnet, 5 is fuji; any other number is a custom network') }),
})

/** Who the asked node is. Behind a load balancer or a renamed host a different node may answer. */
export const getNodeID = defineMethod({
  name: 'info.getNodeID',
  answer: z.object({
    nodeID: word,
    nodePOP: optional(
      z.object({
        publicKey: optional(z.string()).describe('the BLS key that it signs messages with'),
        proofOfPossession: optional(z.string()),
      }),
    ),
  }),
})

/** Which software the asked node runs. */
export const getNodeVersion = defineMethod({
  name: 'info.getNodeVersion',
  answer: z.object({
    version: word.describe('name and version, such as avalanchego/1.14.2'),
    databaseVersion: optional(word),
    rpcProtocolVersion: optional(count).describe('of the protocol between the node and the virtual machines of L1s'),
    gitCommit: optional(word),
    vmVersions: optional(z.record(z.string(), z.string())).describe('by alias or id of the virtual machine'),
  }),
})

/**
 * Whether a chain of the asked node has caught up with the network since the node started. It stays true when the process of
 * the chain dies. Chains that the node does not run are unknown to it.
 */
export const isBootstrapped = defineMethod({
  name: 'info.isBootstrapped',
  params: z.object({
    chain: z.string().min(1).describe('P, X, C, a blockchain id, or an alias that the node has for it'),
  }),
  answer: z.object({ isBootstrapped: z.boolean() }),
  notFound: /^there is no chain with alias\/ID /,
})

const peer = z.object({
  nodeID: word.min(1),
  ip: optional(z.string()),
  publicIP: optional(z.string()),
  version: optional(word),
  // The peer chooses it: an absurd one is no upgrade.
  upgradeTime: optional(measure).describe(
    'when the newest upgrade that its software knows comes into force; Unix time in seconds',
  ),
  lastSent: optional(timeOrNever),
  lastReceived: optional(timeOrNever),
  observedUptime: optional(percent).describe(
    'how much it has seen of the asked node, 0 to 100; 0 until about half a minute after one of the two has started',
  ),
  trackedSubnets: optional(z.array(z.string())),
  supportedACPs: optional(z.array(count)),
  objectedACPs: optional(z.array(count)),
  benched: orNone(z.array(z.string())).describe('chains for which the asked node sends it no requests for a while'),
})

/**
 * The nodes that the asked node is connected to. A node does not list itself. Lists of validators show a peer that is benched
 * on any chain as disconnected.
 */
export const peers = defineMethod({
  name: 'info.peers',
  params: z.object({
    nodeIDs: z.array(z.string().min(1)).optional().describe('only these nodes; default: all'),
  }),
  answer: z.object({ numPeers: count, peers: z.array(peer) }),
  items: 'peers',
})

function isReadable(member: [string, unknown]): member is [string, string | number] {
  return typeof member[1] === 'string' || Number.isFinite(member[1])
}

/** Members that are not times may have any form. */
function areTimes(members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([name, value]) => !name.endsWith('Time') || isoTime.safeParse(value).success)
}

/** When each upgrade of the network comes into force, as the software of the asked node knows it. */
export const upgrades = defineMethod({
  name: 'info.upgrades',
  answer: z
    .record(z.string(), z.unknown())
    .refine(areTimes, 'expected a date as each time')
    .transform((members) => Object.fromEntries(Object.entries(members).filter(isReadable)))
    .describe('by name: those that end in Time are times; one in the year 9999 is not scheduled'),
})

/**
 * What the other validators think of the uptime of the asked node. In percent of stake. No other answer of a node says how the
 * network will vote on its reward. A node that is not a validator answers with an error.
 */
export const infoUptime = defineMethod({
  name: 'info.uptime',
  answer: z.object({
    rewardingStakePercentage: percent.describe(
      'share of the stake that would vote for the reward of the node, 0 to 100',
    ),
    weightedAveragePercentage: percent.describe('mean of the uptimes that validators see, weighted by stake, 0 to 100'),
  }),
  notFound: /node is not a validator$/,
})

/** Any JSON value. It refuses a number too large for a double, which `JSON.parse` makes infinite. */
const anything: z.ZodType = z.json()

const check = z.object({
  message: optional(anything).describe('details; each check has its own form'),
  error: orNone(z.string()).describe('why it fails; absent while it passes'),
  timestamp: timeOrNever.describe('when it was made; Unix time in seconds for us, undefined before its first run'),
  duration: optional(count).describe('nanoseconds that it took'),
  contiguousFailures: orNone(count).describe('how often in a row it has failed; absent while it passes'),
  timeOfFirstFailure: orNone(timeOrNever).describe('when the first of them was made'),
})

/**
 * What the asked node thinks of its own health. JSON-RPC has status 200 even when the node is unhealthy; a GET of the same
 * path has 503 then. The node runs its checks every 30 seconds. When the process of a chain is frozen, all checks wait for it
 * and keep their last results.
 */
export const health = defineMethod({
  name: 'health.health',
  params: z.object({
    tags: z.array(z.string()).optional().describe('only checks of the node itself and of these subnets; default: all'),
  }),
  answer: z.object({
    // An unreadable check must not cost the other checks.
    checks: z
      .record(z.string(), optional(check))
      .describe('by name: of parts of the node, and of its chains by alias or id'),
    healthy: z.boolean().describe('whether none of them fails'),
  }),
})
