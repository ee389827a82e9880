// eth_getBlockByNumber: a block with all members that a live node gives it, those of the C-Chain and those of all chains.

import { ethGetBlockByNumber } from '../../operations/node/chains.ts'
import { handles } from '../handler.ts'
import type { EvmBlock, EvmChain } from '../world/evm-chains.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { evmOf, heightOf, quantity } from './evm-of-node.ts'

/** Transactions are listed by their hashes, even when the request wants them in full. */
export const handleEthGetBlockByNumber = handles(ethGetBlockByNumber, (place, { chain, block }) => {
  const evm = evmOf(place, chain)
  return record(evm, evm.block(heightOf(evm, block))!)
})

const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`

function record(evm: EvmChain, { number, hash, parentHash, time, gasLimit, gasUsed, baseFee }: EvmBlock) {
  const transactions = evm.transactions(number)
  return {
    baseFeePerGas: quantity(baseFee),
    blobGasUsed: '0x0',
    blockGasCost: '0x0',
    difficulty: '0x1',
    excessBlobGas: '0x0',
    extraData: zeros(30),
    gasLimit: quantity(gasLimit),
    gasUsed: quantity(gasUsed),
    hash,
    logsBloom: zeros(256),
    minDelayExcess: '0x799d4c',
    miner: '0x0100000000000000000000000000000000000000',
    mixHash: zeros(32),
    nonce: zeros(8),
    number: quantity(number),
    parentBeaconBlockRoot: zeros(32),
    parentHash,
    receiptsRoot: zeros(32),
    sha3Uncles: zeros(32),
    size: quantity(700 + 110 * transactions.length),
    stateRoot: zeros(32),
    timestamp: quantity(time),
    timestampMilliseconds: quantity(time * 1_000),
    totalDifficulty: quantity(number),
    transactions: transactions.map((one) => one.hash),
    transactionsRoot: zeros(32),
    uncles: [],
    ...(evm.blockchainId === chainIds.C ? ofCChain : {}),
  }
}

const ofCChain = { blockExtraData: '0x', extDataGasUsed: '0x0', extDataHash: zeros(32) }
