// Get native token balance: as of the newest block or of an older one.

import { toTokens } from '../../lib/units.ts'
import { getNativeTokenBalance } from '../../operations/data/evm.ts'
import { handles, Refusal } from '../handler.ts'
import { evmChainOf, logoOf, money } from './evm-record.ts'

const DECIMALS = 18

export const handleGetNativeTokenBalance = handles(
  getNativeTokenBalance,
  ({ world, dialect }, { chainId, address, blockNumber, currency }) => {
    const chain = evmChainOf(world, chainId)
    const head = chain.head()
    // As everywhere a block still to come is a thing that is not there, and no mistake of the one who asks.
    if (blockNumber !== undefined && blockNumber > BigInt(head)) throw new Refusal(404, `no block ${blockNumber} yet`)
    const { name, symbol } = chain.token
    const balance = chain.balance(address.toLowerCase(), Number(blockNumber ?? head))
    const price = world.price(symbol, currency)
    return {
      nativeTokenBalance: {
        name,
        symbol,
        decimals: DECIMALS,
        logoUri: logoOf(symbol),
        chainId: String(chain.chainId),
        balance: String(balance),
        ...(price === undefined
          ? {}
          : {
              price: money(price, currency, dialect),
              balanceValue: money(Number((toTokens(balance, DECIMALS) * price).toFixed(2)), currency, dialect),
            }),
      },
    }
  },
)
