// What the world can be told to do. What is a transaction holds from the next block of the P-Chain on; all else at once.

import { z } from 'zod'

const nodeId = z.string().min(1)
/** By its name. */
const subnet = z.string().min(1)
/** In the smallest unit. */
const amount = z.int().min(0)
const weight = z.int().min(0)
const seconds = z.int().positive()

export const actionTypes = [
  z.strictObject({ kind: z.enum(['disconnect', 'reconnect']), nodeId }),
  z.strictObject({ kind: z.literal('top-up'), validationId: z.string(), amount: amount.positive() }),
  /** On the primary network. Not renewed: for another term somebody has to stake again. */
  z.strictObject({
    kind: z.literal('stake'),
    nodeId,
    amount: amount.positive(),
    reward: amount,
    /** Percent. */
    fee: z.int().min(2).max(100),
    duration: seconds,
  }),
  /** A subnet begins as a permissioned one, without a validator and without a chain. */
  z.strictObject({ kind: z.literal('create-subnet'), subnet, evmChainId: z.int().positive() }),
  z.strictObject({ kind: z.literal('add-to-subnet'), subnet, nodeId, weight: weight.positive(), duration: seconds }),
  z.strictObject({ kind: z.literal('remove-from-subnet'), subnet, nodeId }),
  z.strictObject({ kind: z.literal('transfer-subnet'), subnet, owner: z.string().min(1) }),
  /** Its first block comes one such time after that. */
  z.strictObject({ kind: z.literal('create-chain'), subnet, secondsPerBlock: seconds }),
  /** A node runs the chain of a subnet from now on. */
  z.strictObject({ kind: z.literal('follow'), subnet, nodeId }),
  z.strictObject({
    kind: z.literal('convert'),
    subnet,
    validators: z.array(z.strictObject({ nodeId, weight: weight.positive(), balance: amount })).min(1),
  }),
  z.strictObject({ kind: z.literal('register'), subnet, nodeId, weight: weight.positive(), balance: amount }),
  /** Of an L1 validator. With a weight of 0 it leaves. */
  z.strictObject({ kind: z.literal('set-weight'), subnet, nodeId, weight }),
  /**
   * A node begins again from a snapshot that is so many seconds old, and catches up with so many seconds of blocks in
   * one. With a name it has lost its key: it is another node now.
   */
  z.strictObject({
    kind: z.literal('restore'),
    nodeId,
    behind: seconds,
    pace: z.number().min(1),
    name: nodeId.optional(),
  }),
] as const

const actionType = z.discriminatedUnion('kind', actionTypes)
export type Action = z.output<typeof actionType>
