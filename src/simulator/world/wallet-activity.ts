// Moves tokens out of a wallet, or into it, by an action: a transaction of the next block.

import { plainAddress } from '../../lib/primary-network.ts'
import { addressOf, LETTERS } from './ids.ts'
import type { EvmChain } from './evm-chains.ts'
import { AVAX } from './fixed-ids.ts'
import type { Ledger } from './ledger.ts'
import { random } from './random.ts'
import { FEES, spending, sumOf } from './wallet-drafts.ts'
import { isFree } from './transactions.ts'

interface Moving {
  address: string
  /** In the smallest unit. */
  amount: bigint | undefined
}

export interface WalletActivity {
  /** By default nine tenths of what the wallet can spend. Returns false where it has not so much. */
  drain(chain: 'P' | 'X', moving: Moving, now: number): boolean
  /** By default ten tokens. */
  fund(chain: 'P' | 'X', moving: Moving): boolean
  /** On an EVM chain; with a token, by its symbol, that one. Returns false for a wallet that has no name. */
  move(chain: EvmChain, kind: 'drain' | 'fund', moving: Moving & { token?: string | undefined }): boolean
}

const TOKEN = 1_000_000_000n
const mostOf = (sum: bigint) => (sum * 9n) / 10n

export function createWalletActivity(seed: number, ledger: Ledger): WalletActivity {
  const bank = addressOf(random(seed, 'bank').bech32(LETTERS))

  function pay(chain: 'P' | 'X', from: string, to: string, amount: bigint): void {
    const outputs = [{ owner: to, amount }]
    ledger.submit(chain, (block) => spending(ledger, block, { chain, owner: from, type: 'BaseTx', outputs }))
  }

  return {
    drain(chain, { address, amount }, now) {
      const owner = plainAddress(address)
      const free = [...ledger.unspentOf(owner)].filter((utxo) => utxo.asset === AVAX && isFree(utxo, chain, now))
      const paid = amount ?? mostOf(sumOf(free))
      if (sumOf(free) < paid + FEES[chain]) return false
      pay(chain, owner, bank, paid)
      return true
    },
    fund(chain, { address, amount = 10n * TOKEN }) {
      const outputs = [{ owner: bank, amount: amount + FEES[chain] }]
      ledger.genesis(chain, { type: 'BaseTx', consumed: [], outputs })
      pay(chain, bank, plainAddress(address), amount)
      return true
    },
    move(chain, kind, { address: given, amount, token: symbol }) {
      const address = given.toLowerCase()
      const token = chain.accounts.tokens.find((one) => one.symbol === symbol)
      if (!Object.values(chain.accounts.wallets).includes(address) || (symbol !== undefined && !token)) return false
      const usual = token ? 1_000n * 10n ** BigInt(token.decimals) : mostOf(chain.balance(address, chain.head()))
      chain.order({ wallet: address, isIncoming: kind === 'fund', value: amount ?? usual, token })
      return true
    },
  }
}
