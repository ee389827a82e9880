// What the operator does with a permissioned subnet on the P-Chain: it creates it and its chain, decides who validates it,
// and gives it to another owner.

import type { Inclusion } from './blocks.ts'
import type { L1 } from './l1.ts'
import type { L1s } from './l1s.ts'
import type { Ledger } from './ledger.ts'
import type { Operator } from './operator.ts'
import { numberedId } from './random.ts'
import type { Facts } from './transactions.ts'

interface SubnetActivityOptions {
  seed: number
  l1s: L1s
  ledger: Ledger
  operator: Operator
}

/** Each holds from the next block of the P-Chain on. */
export interface SubnetActivity {
  create(name: string, evmChainId: number): void
  /** `created` happens with the block. */
  createChain(subnet: L1, created: (at: number) => void): void
  /** In seconds. */
  add(subnet: L1, validator: { nodeId: string; weight: bigint; duration: number }): void
  remove(subnet: L1, nodeId: string): void
  transfer(subnet: L1, owner: string): void
}

export function createSubnetActivity({ seed, l1s, ledger, operator }: SubnetActivityOptions): SubnetActivity {
  const { address, paying } = operator
  let added = 0
  const submit = (type: string, act: (block: Inclusion) => Facts & { id?: string }) =>
    ledger.submit('P', (block) => {
      const { id, ...facts } = act(block)
      return { ...paying(type, 0, block, facts), ...(id === undefined ? {} : { id }) }
    })
  function owned(subnet: L1, owner: string): Facts {
    subnet.owner = owner
    return { subnetId: subnet.subnetId, subnetOwners: { threshold: 1, addresses: [owner] } }
  }

  return {
    create(name, evmChainId) {
      const subnet = l1s.found(name, evmChainId)
      submit('CreateSubnetTx', () => ({ ...owned(subnet, address), id: subnet.subnetId }))
    },
    createChain(subnet, created) {
      const { subnetId, blockchainId } = subnet
      submit('CreateChainTx', ({ time }) => {
        subnet.hasChain = true
        created(time)
        return { id: blockchainId, subnetId, blockchainId }
      })
    },
    add(subnet, { nodeId, weight, duration }) {
      submit('AddSubnetValidatorTx', ({ time: start }) => {
        const id = numberedId((added += 1), seed, 'subnet validator')
        const end = start + duration
        subnet.legacy.push({ txId: id, nodeId, weight, start, end, views: new Map() })
        return { id, subnetId: subnet.subnetId, nodeId, start, end, weight }
      })
    },
    remove(subnet, nodeId) {
      submit('RemoveSubnetValidatorTx', () => {
        subnet.legacy = subnet.legacy.filter((one) => one.nodeId !== nodeId)
        return { subnetId: subnet.subnetId, nodeId }
      })
    },
    transfer(subnet, owner) {
      submit('TransferSubnetOwnershipTx', () => owned(subnet, owner))
    },
  }
}
