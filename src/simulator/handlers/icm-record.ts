// Messages between chains in the data service's words, and a page of them.

import type { Place } from '../handler.ts'
import { ICM_CONTRACT } from '../world/evm-accounts.ts'
import type { EvmTransaction } from '../world/evm-transactions.ts'
import type { Message, Sent } from '../world/icm.ts'
import { addressIn } from './checksum-address.ts'
import { tokenRecord } from './evm-record.ts'

interface PageOfMessages {
  list: string
  pageToken: string | undefined
  pageSize: number
  network: string | undefined
  after: (last: Sent | undefined) => Iterable<Sent>
}

/** The simulated network goes by the names of the test network: of the other one there is nothing. */
export function pageOfMessages(place: Place, { list, pageToken, pageSize, network, after }: PageOfMessages) {
  const { world, paging } = place
  const { items, ...next } = paging.page<Sent>({
    list,
    pageToken,
    pageSize,
    now: world.now(),
    after: network === 'mainnet' ? () => [] : after,
  })
  return { ...next, messages: items.map((sent) => record(world.icm.message(sent), place)) }
}

function record(message: Message, { world, dialect }: Place) {
  const { source, destination, delivery } = message
  const written = (address: string) => addressIn(address, dialect)
  const relayer = written(world.evmWallets.relayer)
  return {
    messageId: message.id,
    icmContractAddress: written(ICM_CONTRACT),
    sourceBlockchainId: source.blockchainId,
    destinationBlockchainId: destination.blockchainId,
    sourceEvmChainId: String(source.chainId),
    destinationEvmChainId: String(destination.chainId),
    messageNonce: String(message.nonce),
    from: written(message.from),
    to: written(message.to),
    data: message.data,
    messageExecuted: delivery !== undefined,
    receipts: message.receipts.map((nonce) => ({
      receivedMessageNonce: String(nonce),
      relayerRewardAddress: relayer,
    })),
    receiptDelivered: message.isReceiptDelivered,
    rewardDetails: { ...tokenRecord(source.accounts.tokens[0]!, world, dialect), value: String(message.reward) },
    sourceTransaction: { ...transactionRecord(message.transaction), timestamp: message.time },
    // The document knows the source alone.
    ...(delivery && dialect === 'live'
      ? {
          destinationTransaction: {
            ...transactionRecord(delivery.transaction),
            timestamp: delivery.time,
            rewardRedeemer: relayer,
            delivererAddress: relayer,
          },
        }
      : {}),
    status: delivery === undefined ? 'pending' : 'delivered',
  }
}

/** What was spent on gas is the fee that was paid. */
function transactionRecord({ hash, gasUsed, gasPrice }: EvmTransaction) {
  return { txHash: hash, gasSpent: String(BigInt(gasUsed) * gasPrice) }
}
