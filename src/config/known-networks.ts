// Parameters of the known networks that no upstream reports. Keys are those of the configuration, where a custom network can
// override each, except for those that identify the network.

import { addressPrefixes } from '../lib/ids.ts'
import { blockchainIds, type PrimaryChain } from '../lib/primary-network.ts'
import { table } from '../lib/entry.ts'
import { asText, type Item, mapOf } from './checks/clash.ts'

export const networkNames = ['mainnet', 'fuji', 'custom'] as const
export type NetworkName = (typeof networkNames)[number]

interface KnownNetwork {
  /** The human-readable parts at the start of its addresses. */
  prefixes: readonly string[]
  /** The network id of its nodes; undefined for custom networks, which choose their own. */
  network_id: number | undefined
  /** Unix seconds of the upgrade Helicon; undefined while it is not scheduled. */
  upgrade_time: number | undefined
  l1_fee: { target: number; excess_constant: number; min_price: number }
  /** `min_duration` in milliseconds, amounts in tokens. */
  delegation: { factor: number; max_stake: number; min_duration: number; min_delegation: number }
}

const DAY = 86_400_000

/**
 * Read in the source of avalanchego as of 2026-08-22:
 * `prefixes`: utils/constants/network_ids.go, NetworkIDToHRP and FallbackHRP.
 * `network_id`: the same file, MainnetID and FujiID.
 * `upgrade_time`: upgrade/upgrade.go, HeliconTime; from then on 90 % by genesis/params.go, ACP267UptimeRequirement.
 * `l1_fee`: genesis/genesis_mainnet.go, genesis_fuji.go and genesis_local.go, ValidatorFeeConfig (ACP-77).
 * `delegation`: the same files, StakingConfig, for amounts and durations; `factor` is MaxValidatorWeightFactor in
 * vms/platformvm/txs/executor/proposal_tx_executor.go.
 */
export const knownNetworks: Readonly<Record<NetworkName, KnownNetwork>> = {
  mainnet: {
    prefixes: [addressPrefixes.mainnet],
    network_id: 1,
    upgrade_time: undefined,
    l1_fee: { target: 10_000, excess_constant: 1_246_488_515, min_price: 512 },
    delegation: { factor: 5, max_stake: 3_000_000, min_duration: 14 * DAY, min_delegation: 25 },
  },
  fuji: {
    prefixes: [addressPrefixes.fuji],
    network_id: 5,
    upgrade_time: Date.parse('2026-07-28T15:00:00Z') / 1_000,
    l1_fee: { target: 10_000, excess_constant: 51_937_021, min_price: 512 },
    delegation: { factor: 5, max_stake: 3_000_000, min_duration: DAY, min_delegation: 1 },
  },
  custom: {
    prefixes: [addressPrefixes.local, addressPrefixes.custom],
    network_id: undefined,
    upgrade_time: undefined,
    l1_fee: { target: 10_000, excess_constant: 865_617, min_price: 1 },
    delegation: { factor: 5, max_stake: 3_000_000, min_duration: DAY, min_delegation: 25 },
  },
}

const byDataNetwork = table<NetworkName>({ mainnet: 'mainnet', fuji: 'fuji', testnet: 'fuji' })

/** By the key `network`, else by the data service's name of the network, else by the network's own name. */
export function networkOf({ network, data_api, name }: Item): NetworkName {
  const given = networkNames.find((one) => one === network)
  return given ?? byDataNetwork[asText(mapOf(data_api)['network'])] ?? byDataNetwork[asText(name)] ?? 'custom'
}

export function networkOfPrefix(prefix: string): NetworkName | undefined {
  return networkNames.find((one) => knownNetworks[one].prefixes.includes(prefix))
}

const primaryIds = new Map(
  (['mainnet', 'fuji'] as const).flatMap((network) =>
    Object.entries(blockchainIds[network]!).map(([chain, id]) => [id, { network, chain: chain as PrimaryChain }]),
  ),
)

/** Which chain of which network has this id, if it is one of another network than `own`. */
export function foreignChain(id: string, own: NetworkName): { network: NetworkName; chain: PrimaryChain } | undefined {
  const found = primaryIds.get(id)
  return found?.network === own ? undefined : found
}
