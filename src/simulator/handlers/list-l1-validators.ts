// List L1 validators: as of the newest block of the P-Chain, by their validation ids.

import { listL1Validators } from '../../operations/data/validators.ts'
import { readCb58 } from '../../lib/ids.ts'
import { inOrder } from '../services/paging.ts'
import { handles } from '../handler.ts'
import type { L1, L1Validator } from '../world/l1.ts'
import type { World } from '../world/world.ts'
import { mustBeFuji } from './must-be-fuji.ts'

type Member = L1Validator & { subnetId: string }

export const handleListL1Validators = handles(listL1Validators, ({ world, paging }, params) => {
  const { network, subnetId, nodeId, l1ValidationId, includeInactiveL1Validators = false, pageToken, pageSize } = params
  mustBeFuji(network)
  const height = world.chains.P.head()
  const time = world.chains.P.time(height)!
  const all = world.l1s.all
    .flatMap(membersOf)
    .filter(
      (one) =>
        (subnetId ?? one.subnetId) === one.subnetId &&
        (nodeId ?? one.nodeId) === one.nodeId &&
        (l1ValidationId ?? one.validationId) === one.validationId &&
        (includeInactiveL1Validators || world.l1s.balance(one, time) > 0),
    )
  const { items, ...next } = paging.page<Member>({
    list: ['l1 validators', subnetId, nodeId, l1ValidationId, includeInactiveL1Validators].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(all, byId, 'asc'),
  })
  return { ...next, validators: items.map((one) => record(one, world, time)), blockHeight: String(height) }
})

function byId({ validationId: a }: Member, { validationId: b }: Member): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function membersOf({ subnetId, validators }: L1): Member[] {
  return validators.map((one) => ({ ...one, subnetId }))
}

function record(member: Member, { l1s }: World, time: number) {
  const { validationId, nodeId, subnetId, publicKey, owner, weight, start } = member
  const key = { addresses: [owner], threshold: 1 }
  return {
    validationId,
    validationIdHex: `0x${Buffer.from(readCb58(validationId).value!).toString('hex')}`,
    nodeId,
    subnetId,
    weight: Number(weight),
    remainingBalance: l1s.balance(member, time),
    creationTimestamp: start,
    blsCredentials: { publicKey },
    remainingBalanceOwner: key,
    deactivationOwner: key,
  }
}
