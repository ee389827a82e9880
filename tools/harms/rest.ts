// The cells that no incident or test of promtool fills by itself: they are as those of another thing, or empty for a reason.

import type { Harm, Rest, Thing } from './harms.ts'

function like(thing: Thing, ...some: readonly Harm[]): Rest {
  return Object.fromEntries(some.map((harm) => [harm, { like: thing }]))
}

const NODE_OF_ITS_OWN = 'A validator has no blocks of its own: see Node.'
const NO_TERM = 'A chain has no term, and no part of it can leave.'
const NOT_A_PROCESS = 'A wallet runs nowhere.'
const NOT_COMPARED = 'A gap: blocks of two nodes of an L1 are not compared yet.'

export const rest: Readonly<Partial<Record<Thing, Rest>>> = {
  primary: {
    forked: NODE_OF_ITS_OWN,
  },
  renewed: like(
    'primary',
    'flapping',
    'stalled',
    'forked',
    'lagging',
    'wrong identity',
    'unhealthy',
    'running out',
    'changed',
    'unreachable',
    'unknown',
    'contradicted',
  ),
  l1Validator: {
    ...like('primary', 'forked', 'lagging', 'wrong identity'),
    stalled: 'A gap: nodes index the primary network alone, and nothing else says who built a block.',
    eroding: 'No reward of the P-Chain depends on its uptime: see flapping.',
    ending: 'It has no term: it stays until its balance runs out or it is removed.',
  },
  permissioned: {
    ...like('l1Validator', 'eroding', 'stalled', 'forked', 'lagging', 'unhealthy', 'unreachable', 'unknown'),
    'wrong identity': 'Its record has no key: the node id is its whole identity.',
    'running out': 'It pays no fee and has no balance.',
  },
  node: {
    'running out': 'A node checks its own disk: see unhealthy.',
    ending: 'It has no term; software that is too old for an upgrade is lagging.',
    leaving: 'A node that was taken away is offline.',
  },
  pChain: {
    offline: 'A chain is no machine: either it stalls, or its nodes are offline.',
    flapping: 'A pause shorter than `stall_after` costs nothing; a longer one is a stall.',
    eroding: 'It loses stake only with its validators, and no operator can change that.',
    ending: NO_TERM,
    leaving: NO_TERM,
    changed: 'Only an upgrade of the network changes it: see Node, lagging.',
  },
  xChain: {
    ...like(
      'pChain',
      'offline',
      'flapping',
      'eroding',
      'wrong identity',
      'unhealthy',
      'ending',
      'leaving',
      'changed',
      'unreachable',
      'unknown',
    ),
    'running out': 'Its fees are fixed: nothing that it needs can run short.',
  },
  cChain: {
    ...like(
      'pChain',
      'offline',
      'flapping',
      'forked',
      'lagging',
      'wrong identity',
      'ending',
      'leaving',
      'changed',
      'unreachable',
      'unknown',
    ),
    'running out': 'Short gas raises its fees, and no stake or balance depends on them.',
  },
  evmChain: {
    ...like('cChain', 'offline', 'flapping', 'running out', 'ending', 'leaving'),
    ...like('pChain', 'eroding'),
    forked: NOT_COMPARED,
    contradicted: NOT_COMPARED,
  },
  l1: {
    flapping: 'Every fall below a threshold for two minutes is a page.',
    forked: 'Its chain has the blocks: see EVM chain.',
    'wrong identity': 'The configuration names it by its id, which is unique.',
    ending: 'An L1 has no term: its validators pay per second.',
  },
  wallet: {
    offline: NOT_A_PROCESS,
    flapping: NOT_A_PROCESS,
    eroding: 'A falling balance matters below its minimum: see running out.',
    forked: NOT_A_PROCESS,
    unhealthy: NOT_A_PROCESS,
    ending: 'A wallet with many delegations always has one that ends soon: see the validators.',
    unreachable: NOT_A_PROCESS,
  },
  route: {
    flapping: 'A relayer that comes and goes delivers late: see stalled.',
    forked: 'A route has no blocks of its own.',
    'wrong identity': 'Messages carry the ids of the two configured chains.',
    ending: 'A route has no term: it exists as long as its chains.',
    contradicted: 'Only the data service reports messages and signatures.',
  },
  service: {
    eroding: 'It can only lose quota: see running out.',
    ending: 'The end of a key is not known in advance: see changed.',
    leaving: 'A service that is shut down is offline.',
  },
  self: {
    ending: 'It runs until it is stopped, and then it is offline.',
  },
}
