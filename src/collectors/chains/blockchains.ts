// blockchains: what the configured chains are, and how many each subnet has. platform.getBlockchains (document 2) for the
// list, blockchain details (document 1, operation 16) for the genesis.

import type { Facts, Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { equal } from '../../judgements/expectations.ts'
import { PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofChain, ofSubnet, type Sample } from '../../metrics/define.ts'
import { getBlockchainDetails } from '../../operations/data/chains.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBlockchains } from '../../operations/node/platform-subnets.ts'
import {
  type Blockchain,
  type BlockchainList,
  isAlias,
  listBlockchains,
  lookUp,
  notListed,
} from '../answers/blockchain-list.ts'
import { ifUnsupported } from '../answers/not-found.ts'
import { asExpectations, type Ask, defineCollector, NETWORK } from '../define.ts'

const info = ofChain.gauge('stakewatch_blockchain_info', {
  help: 'Id, name, virtual machine, subnet and EVM chain id of the chain, always 1 (platform.getBlockchains, data service).',
  labels: ['blockchain_id', 'blockchain_name', 'vm_id', 'subnet_id', 'evm_chain_id'],
})
const subnetBlockchains = ofSubnet.gauge('stakewatch_subnet_blockchains', {
  help: 'Number of blockchains of the subnet, without the P-Chain (platform.getBlockchains).',
})
const gasLimit = ofChain.gauge('stakewatch_chain_gas_limit', {
  help: "Gas limit of a block in the chain's genesis, without later changes (get-blockchain-details).",
})
const targetGas = ofChain.gauge('stakewatch_chain_target_gas', {
  help: "Gas target of the fee mechanism in the chain's genesis, without later changes (get-blockchain-details).",
})
const minBaseFee = ofChain.gauge('stakewatch_chain_min_base_fee_tokens', {
  help: "Minimum base fee per gas in the chain's genesis, in its own token, without later changes (get-blockchain-details).",
})
const expectationMet = ofChain.gauge('stakewatch_chain_expectation_met', {
  help: "Whether the chain's genesis meets the configured expectation: 1 or 0; absent while unknown (get-blockchain-details).",
  labels: ['expectation'],
})

type Chain = Network['chains'][number]
type Details = AnswerOf<typeof getBlockchainDetails>

export const blockchains = defineCollector({
  name: 'blockchains',
  about: 'Identity and genesis settings of the configured chains, and the number of blockchains of each subnet.',
  every: '1h',
  uses: [getBlockchains, getBlockchainDetails],
  metrics: [info, subnetBlockchains, gasLimit, targetGas, minBaseFee, expectationMet],
  subjects,
  // One list covers all chains.
  partOf: () => NETWORK,
  estimate: ({ chain, subnet }) =>
    chain
      ? { calls: [getBlockchainDetails], series: 4 + declaredRules(chain).length }
      : { calls: subnet.id === PRIMARY_NETWORK_ID ? [getBlockchains] : [], series: 1 },
  async collect({ subject: { chain, subnet }, network, call }) {
    if (!chain) {
      const list = await listBlockchains(call, ({ records }) => records.some(({ subnetID }) => subnetID === subnet.id))
      return { samples: countSamples(list, subnet.id) }
    }
    const found = await lookUp(call, chain.id).catch(ifUnsupported)
    const record = found?.record
    // Only the list resolves an alias in this network.
    const id = record?.id ?? (isAlias(chain.id) ? undefined : chain.id)
    const details = id === undefined ? undefined : await detailsOf(id, network, call)
    if (id === undefined || !(record ?? details)) throw notListed(found?.list ?? { dropped: 0 })
    return {
      samples: [infoSample(id, record, details), ...genesisSamples(details, chain.decimals)],
      expectations: asExpectations(expectationMet, judged(details, chain)),
    }
  },
})

/** A chain and a subnet may share a name, so the target says which it is. The P-Chain is never listed. */
function subjects({ subnets, chains }: Network) {
  return [
    ...subnets.map((subnet) => ({
      name: `subnet:${subnet.name}`,
      labels: { subnet: subnet.name },
      subnet,
      chain: undefined,
    })),
    ...chains
      .filter(({ id }) => primaryChains[id] !== 'P')
      .map((chain) => ({ name: `chain:${chain.name}`, labels: { chain: chain.name }, chain, subnet: undefined })),
  ]
}

/** A record that was left out, or has no subnet, may belong to any subnet: then there is no count. */
function countSamples({ records, dropped }: BlockchainList, subnetId: string): Sample[] {
  if (dropped > 0 || records.some(({ subnetID }) => subnetID === undefined)) return []
  const own = records.filter(({ subnetID }) => subnetID === subnetId)
  return [subnetBlockchains.sample({}, new Set(own.map(({ id }) => id)).size)]
}

/** Undefined without a data service, or if it does not know the chain. */
async function detailsOf(
  blockchainId: string,
  { data_api }: Facts,
  call: Ask<typeof getBlockchainDetails>['call'],
): Promise<Details | undefined> {
  if (!data_api) return undefined
  const params = { network: data_api.network, blockchainId }
  const answer = await call(getBlockchainDetails, params).catch(ifUnsupported)
  if (answer && answer.value.blockchainId !== blockchainId) {
    throw new BaseError('bad_response', 'the answer is about another blockchain')
  }
  return answer?.value
}

/** The node's answer wins, as consensus vouches for it; the data service fills in the rest. */
function infoSample(id: string, record: Blockchain | undefined, details: Details | undefined): Sample {
  return info.sample(
    {
      blockchain_id: id,
      blockchain_name: record?.name ?? details?.blockchainName ?? '',
      vm_id: record?.vmID ?? details?.vmId ?? '',
      subnet_id: record?.subnetID ?? details?.subnetId ?? '',
      evm_chain_id: String(details?.evmChainId ?? details?.genesisData?.config?.chainId ?? ''),
    },
    1,
  )
}

/** A chain's fee rules take precedence over the gas limit of its first block. */
function rulesOf(details: Details | undefined) {
  const genesis = details?.genesisData
  const fees = genesis?.config?.feeConfig
  return { gasLimit: fees?.gasLimit ?? genesis?.gasLimit, targetGas: fees?.targetGas, minBaseFee: fees?.minBaseFee }
}

function genesisSamples(details: Details | undefined, decimals: number): Sample[] {
  const rules = rulesOf(details)
  return [
    ...gasLimit.ifKnown({}, rules.gasLimit),
    ...targetGas.ifKnown({}, rules.targetGas),
    ...minBaseFee.ifKnown({}, toTokens(rules.minBaseFee, decimals)),
  ]
}

const declarable = { gas_limit: 'gasLimit', target_gas: 'targetGas', min_base_fee: 'minBaseFee' } as const

function declaredRules({ expect }: Chain) {
  return Object.entries(declarable).flatMap(([name, rule]) => {
    const value = expect[name as keyof typeof declarable]
    return value === undefined ? [] : [{ name, rule, value: BigInt(value) }]
  })
}

function judged(details: Details | undefined, chain: Chain) {
  const rules = rulesOf(details)
  return declaredRules(chain).flatMap(({ name, rule, value }) => equal(name, value, rules[rule]))
}
