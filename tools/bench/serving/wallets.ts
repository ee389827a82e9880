// Any number of wallets: each is a target of its own.

import type { Config } from '../../../src/config/schema.ts'
import { benchValidators } from '../publication/validators.ts'

/** The configuration with that many wallets, each with one address of the P-Chain. */
export function walletsOf(config: Config, count: number): Config {
  const addresses = benchValidators(count).map((_, at) => ({
    name: `wallet-${at}`,
    addresses: [`P-avax1${String(at).padStart(38, 'q')}`],
    chains: [],
    tokens: {},
    expect: {},
  }))
  return { ...config, networks: config.networks.map((network) => ({ ...network, addresses })) }
}
