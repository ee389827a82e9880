// State for counting transactions: those of a wallet, and the top-ups of an L1 validator.

import { z } from 'zod'
import type { listLatestTransactions } from '../../operations/data/primary-network-transactions.ts'
import type { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import type { Run } from '../define.ts'
import { historyType } from './history.ts'
import type { Transaction } from './movements.ts'
import { countType, momentType, secondsType, sumType, wordType } from '../counting/remembered.ts'

/** The newest transaction of a kind, when it was first seen (milliseconds), and the tokens that it took in the smallest unit. */
const markType = z.object({ time: secondsType, seen: momentType, tokens: sumType.optional() })
export type Mark = z.output<typeof markType> | undefined

const totalsType = z.object({
  types: z.record(wordType, countType),
  /** In the smallest unit, exact; undefined once a transaction lacks its amount. */
  tokens: sumType.optional(),
})
export type Totals = z.output<typeof totalsType>

export const memory = historyType(totalsType).extend({
  outgoing: markType.optional(),
  /** Transactions that may or may not be outgoing. */
  unknown: markType.optional(),
  /** The addresses that these transactions belong to. */
  asked: z.string().optional(),
  /** The validation that these top-ups belong to: a node that registers again has another id. */
  validationId: z.string().optional(),
})
export type Memory = z.output<typeof memory>

export type TransactionRun<S> = Run<typeof listLatestTransactions | typeof getCurrentValidators, Memory, S>

/** How the lists are asked for. */
export const newestFirst = { sortOrder: 'desc', pageSize: 100 } as const

export const identity = {
  time: ({ blockTimestamp, timestamp }: Transaction) => blockTimestamp ?? timestamp,
  id: ({ txHash }: Transaction) => txHash,
}

/** A sum with an unknown part is unknown. */
export function plus(sum: string | undefined, part: bigint | undefined): string | undefined {
  return sum === undefined || part === undefined ? undefined : String(BigInt(sum) + part)
}
