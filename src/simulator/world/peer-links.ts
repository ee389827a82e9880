// The connections of the nodes that are asked to the validators, of the primary network and of L1s at once.

import type { L1s } from './l1s.ts'
import { wholeStake } from './stakes.ts'
import type { Validators } from './validators.ts'

export interface Links {
  isValidator(nodeId: string): boolean
  /** As these nodes see it, by default all. Returns false when the node validates nothing. */
  lose(nodeId: string, reason: string, at: number, seenBy?: readonly string[]): boolean
  regain(nodeId: string, reason: string, at: number): boolean
  /** A node loses its peers, the last of the set first, until it has lost this share of the stake. With 1 it loses all. */
  isolate(nodeId: string, share: number, at: number): boolean
  rejoin(nodeId: string, at: number): boolean
}

const MILLION = 1_000_000

export function createLinks(validators: Validators, l1s: L1s): Links {
  const { all, observers } = validators
  const isValidator = (nodeId: string) => all.has(nodeId) || l1s.isMember(nodeId)
  const ofL1s = () => l1s.all.flatMap((l1) => [...l1.validators, ...l1.legacy]).map(({ nodeId }) => nodeId)
  const isolated = (nodeId: string) => `isolated ${nodeId}`

  function lose(nodeId: string, reason: string, at: number, seenBy: readonly string[] = observers): boolean {
    validators.disconnect(nodeId, reason, at, seenBy)
    l1s.disconnect(nodeId, reason, at, seenBy)
    return isValidator(nodeId)
  }

  function regain(nodeId: string, reason: string, at: number): boolean {
    validators.reconnect(nodeId, reason, at)
    l1s.reconnect(nodeId, reason, at)
    return isValidator(nodeId)
  }

  return {
    isValidator,
    lose,
    regain,
    isolate(nodeId, share, at) {
      if (!observers.includes(nodeId)) return false
      const total = [...all.values()].reduce((sum, one) => sum + wholeStake(one), 0n)
      const wanted = (total * BigInt(Math.round(share * MILLION))) / BigInt(MILLION)
      const peers = [...all.values()].filter((one) => one.nodeId !== nodeId).toReversed()
      let lost = 0n
      for (const peer of peers) {
        if (lost >= wanted) break
        lost += wholeStake(peer)
        lose(peer.nodeId, isolated(nodeId), at, [nodeId])
        // A connection has two ends.
        if (observers.includes(peer.nodeId)) lose(nodeId, isolated(nodeId), at, [peer.nodeId])
      }
      if (share === 1) for (const peer of ofL1s()) lose(peer, isolated(nodeId), at, [nodeId])
      return true
    },
    rejoin(nodeId, at) {
      for (const peer of [...all.keys(), ...ofL1s()]) regain(peer, isolated(nodeId), at)
      return observers.includes(nodeId)
    },
  }
}
