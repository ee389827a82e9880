// Who has what: the UTXOs of the primary network, and the transactions that make and spend them. Those of strangers are
// worked out on demand; all others are kept until `forget`.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { GrowingChain, Inclusion } from './blocks.ts'
import { AVAX } from './fixed-ids.ts'
import { numberedId } from './random.ts'
import { createStrangers } from './strangers.ts'
import { type Facts, inChain, type Output, type Transaction, type Utxo, utxoId } from './transactions.ts'

export interface Draft {
  /** Where it is known before the transaction is accepted. */
  id?: string
  type: string
  consumed: readonly Utxo[]
  outputs: readonly Output[]
  facts?: Facts
}

export interface Ledger {
  /** For the next block of the chain: `make` sees what can be spent then, `accepted` what has become of it. */
  submit(
    chain: PrimaryChain,
    make: (block: Inclusion) => Draft | undefined,
    accepted?: (transaction: Transaction) => void,
  ): void
  /** What was there before the first block; in no block's list. */
  genesis(chain: PrimaryChain, draft: Draft): Transaction
  /** In the blocks of a chain, the newest or the oldest first, from the one after `last` on; worked out as they are read. */
  transactions(chain: PrimaryChain, order?: 'asc' | 'desc', last?: Transaction): Iterable<Transaction>
  find(id: string): Transaction | undefined
  /** Of an address, without the prefix of a chain or with 0x, or of an L1 validator by its validation id: in no order. */
  transactionsOf(name: string): readonly Transaction[]
  utxosOf(address: string): readonly Utxo[]
  unspentOf(address: string): Iterable<Utxo>
  /**
   * Drops the transactions before that time and the UTXOs that were spent before it. What can still be spent stays, and
   * the transactions of stakes that run, of subnets and of the L1 validators that are named, and the newest of each type
   * of these validators: a real list never ends before an item that it had.
   */
  forget(before: number, l1Validators: ReadonlySet<string>): void
  /** What is kept. */
  size(): { transactions: number; utxos: number }
}

/** `transactions` in the order in which they were accepted. */
const newestByType = (transactions: Iterable<Transaction>) =>
  new Map(Array.from(transactions, (one) => [one.type, one])).values().toArray()

/** How a subnet or a blockchain began is never forgotten. */
const LASTING = new Set(['CreateSubnetTx', 'CreateChainTx', 'ConvertSubnetToL1Tx'])

interface Account {
  transactions: Set<Transaction>
  utxos: Set<Utxo>
  unspent: Set<Utxo>
}

interface State {
  seed: number
  chains: Readonly<Record<PrimaryChain, GrowingChain>>
  byId: Map<string, Transaction>
  byBlock: Readonly<Record<PrimaryChain, Map<number, Transaction[]>>>
  byAddress: Map<string, Account>
  strangers: Readonly<Record<'P' | 'X', ReturnType<typeof createStrangers>>>
  /** How many transactions have been made on each chain. */
  made: Record<PrimaryChain, number>
}

export function createLedger(seed: number, begin: number, chains: State['chains']): Ledger {
  const strangers = { P: createStrangers(seed, 'P', chains.P), X: createStrangers(seed, 'X', chains.X) }
  const byId: State['byId'] = new Map()
  const byAddress: State['byAddress'] = new Map()
  const byBlock: State['byBlock'] = { P: new Map(), X: new Map(), C: new Map() }
  const state: State = { seed, chains, byId, byBlock, byAddress, strangers, made: { P: 0, X: 0, C: 0 } }
  const strangersOf = (address: string) => Object.values(strangers).flatMap(({ of }) => of(address))
  return {
    submit(chain, make, accepted) {
      chains[chain].submit((block) => {
        const draft = make(block)
        if (!draft) return undefined
        const own = byBlock[chain].get(block.height) ?? []
        const transaction = accept(state, chain, block, draft, 3 + own.length)
        byBlock[chain].set(block.height, [...own, transaction])
        accepted?.(transaction)
        return transaction.id
      })
    },
    genesis: (chain, draft) => accept(state, chain, { height: 0, time: begin }, draft, -1),
    *transactions(chain, order = 'desc', last) {
      const step = order === 'asc' ? 1 : -1
      const first = order === 'asc' ? 0 : chains[chain].head()
      for (const height of heights(state, chain, last?.height ?? first, step)) {
        const all = inBlock(state, chain, height)
        const found = step > 0 ? all.toReversed() : all
        yield* last ? found.filter((one) => inChain(one, last) * step > 0) : found
      }
    },
    find: (id) => byId.get(id) ?? strangers.P.find(id) ?? strangers.X.find(id),
    transactionsOf: (name) => [...(byAddress.get(name)?.transactions ?? []), ...strangersOf(name)],
    utxosOf(address) {
      const theirs = strangersOf(address).flatMap(({ emitted }) => emitted.filter(({ owner }) => owner === address))
      return [...(byAddress.get(address)?.utxos ?? []), ...theirs]
    },
    unspentOf: (address) => byAddress.get(address)?.unspent ?? [],
    forget(before, l1Validators) {
      const newest = new Set([...l1Validators].flatMap((id) => newestByType(byAddress.get(id)?.transactions ?? [])))
      for (const transaction of byId.values()) {
        if (transaction.time >= before || newest.has(transaction) || isNeeded(transaction, before, l1Validators))
          continue
        drop(state, transaction)
      }
      for (const [address, { transactions, utxos }] of byAddress) {
        for (const utxo of utxos) if (utxo.spent && utxo.spent.time < before) utxos.delete(utxo)
        if (transactions.size === 0 && utxos.size === 0) byAddress.delete(address)
      }
    },
    size: () => ({
      transactions: byId.size,
      utxos: [...byAddress.values()].reduce((sum, { utxos }) => sum + utxos.size, 0),
    }),
  }
}

function accountOf({ byAddress }: State, address: string): Account {
  let found = byAddress.get(address)
  if (!found) byAddress.set(address, (found = { transactions: new Set(), utxos: new Set(), unspent: new Set() }))
  return found
}

function accept(
  state: State,
  chain: PrimaryChain,
  { height, time }: Inclusion,
  draft: Draft,
  position: number,
): Transaction {
  // Each chain counts for itself: which of two chains comes first depends on the steps in which time goes on.
  const id = draft.id ?? numberedId((state.made[chain] += 1), state.seed, 'ledger', chain)
  const { type, consumed, facts = {} } = draft
  // Member by member: copied as a whole, these objects are half as big again, and there are hundreds of thousands.
  const emitted = draft.outputs.map((output, index): Utxo => {
    const { owner, amount, asset = AVAX, destination = chain, ...rest } = output
    return { id: utxoId(id, index), owner, amount, asset, chain, destination, txId: id, index, height, time, ...rest }
  })
  const transaction = { id, chain, type, height, time, position, consumed, emitted, facts }
  state.byId.set(id, transaction)
  for (const utxo of emitted) {
    const { utxos, unspent } = accountOf(state, utxo.owner)
    utxos.add(utxo)
    unspent.add(utxo)
  }
  for (const utxo of consumed) {
    if (utxo.spent) throw new Error(`${utxo.id} is spent twice`)
    utxo.spent = { txId: id, chain, height, time }
    accountOf(state, utxo.owner).unspent.delete(utxo)
  }
  for (const name of namesOf(transaction)) accountOf(state, name).transactions.add(transaction)
  return transaction
}

/** All names under which a transaction can be found. */
const namesOf = ({ emitted, consumed, facts }: Transaction): string[] => [
  ...emitted.map(({ owner }) => owner),
  ...consumed.map(({ owner }) => owner),
  ...(facts.evm ?? []).map(({ address }) => address),
  ...(facts.l1Validators ?? []).map(({ validationId }) => validationId),
]

function isNeeded({ type, facts }: Transaction, before: number, l1Validators: ReadonlySet<string>): boolean {
  const isOfL1 = facts.l1Validators?.some(({ validationId, bls }) => bls && l1Validators.has(validationId))
  return LASTING.has(type) || (facts.end ?? 0) >= before || isOfL1 === true
}

function drop({ byId, byAddress, byBlock }: State, transaction: Transaction): void {
  byId.delete(transaction.id)
  for (const name of namesOf(transaction)) byAddress.get(name)?.transactions.delete(transaction)
  const { chain, height } = transaction
  const left = (byBlock[chain].get(height) ?? []).filter((one) => one !== transaction)
  if (left.length > 0) byBlock[chain].set(height, left)
  else byBlock[chain].delete(height)
}

/** The newest first. */
function inBlock({ byBlock, strangers }: State, chain: PrimaryChain, height: number): Transaction[] {
  const own = (byBlock[chain].get(height) ?? []).toReversed()
  return chain === 'C' ? own : [...own, ...strangers[chain].inBlock(height)]
}

/** The heights that have transactions, from one on. On the C-Chain, whose blocks are many, strangers have none. */
function* heights({ chains, byBlock }: State, chain: PrimaryChain, from: number, step: 1 | -1): Generator<number> {
  if (chain === 'C') {
    const known = [...byBlock.C.keys()]
    yield* (step > 0 ? known : known.toReversed()).filter((height) => (height - from) * step >= 0)
  } else {
    const head = chains[chain].head()
    for (let height = from; height >= 0 && height <= head; height += step) yield height
  }
}
