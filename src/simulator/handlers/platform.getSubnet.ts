// platform.getSubnet: its owner and, after its conversion, its manager.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getSubnet } from '../../operations/node/platform-subnets.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'

/** An id that names nothing. */
const EMPTY = '11111111111111111111111111111111LpoYY'

export const handleGetSubnet = handles(getSubnet, ({ world }, { subnetID }) => {
  if (subnetID === PRIMARY_NETWORK_ID) throw refusal("the primary network isn't a subnet")
  const subnet = world.l1s.all.find(({ subnetId }) => subnetId === subnetID)
  if (!subnet?.owner) throw refusal(`"${subnetID}" is not a subnet`)
  const { owner, conversion } = subnet
  return {
    isPermissioned: conversion === undefined,
    controlKeys: [`P-${owner}`],
    threshold: '1',
    locktime: '0',
    subnetTransformationTxID: EMPTY,
    conversionID: conversion?.id ?? EMPTY,
    managerChainID: conversion?.managerChain ?? EMPTY,
    managerAddress: conversion?.managerAddress ?? null,
  }
})
