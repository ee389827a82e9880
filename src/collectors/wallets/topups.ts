// What was paid into L1 validators' balances: the top-ups that List latest transactions returns for a validation id
// (document 1, operation 4). Only the node knows that id (document 2, platform.getCurrentValidators).

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import type { DataNetwork } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofValidator } from '../../metrics/define.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { listLatestTransactions } from '../../operations/data/primary-network-transactions.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { refuseOther } from '../answers/chain-info.ts'
import { isUnreadable } from '../answers/not-found.ts'
import { isWord } from '../answers/spelling.ts'
import { identity, newestFirst, plus, type Totals, type TransactionRun } from './counted-transactions.ts'
import type { Subject } from '../define.ts'
import { beforeAll } from '../counting/follow.ts'
import { followHistory, type HistoryOf } from './history.ts'
import type { Transaction } from './movements.ts'
import { stakingSum } from './staking-token.ts'
import { allSubnets, nodeIdsOf, noMembers, type SubnetSubject } from '../subjects/subnets.ts'

export const topupTotal = ofValidator.counter('stakewatch_l1_validator_topup_tokens_total', {
  help: "Tokens paid into the L1 validator's balance since counting began, without its first balance; absent once unknown (data service).",
})

/** A tracked validator of a subnet that may be an L1. */
export interface L1Subject extends Subject {
  of: 'validator'
  network: DataNetwork
  subnet: SubnetSubject
  nodeId: string
}

/** The type of transaction that adds to a balance; the first balance comes with the validator itself. */
const TOPUP = 'IncreaseL1ValidatorBalanceTx'

export function l1Subjects(configured: Network): L1Subject[] {
  const { data_api, nodes } = configured
  if (!data_api || nodes.length === 0) return []
  return allSubnets(configured)
    .filter(({ isPrimary }) => !isPrimary)
    .flatMap((subnet) =>
      subnet.tracked.map(({ name, node_id }) => ({
        of: 'validator' as const,
        name: `validator:${subnet.name}:${name}`,
        labels: { ...subnet.labels, node_id, validator: name },
        network: data_api.network,
        subnet,
        nodeId: node_id,
        id: [subnet.id, node_id].join('/'),
      })),
    )
}

/** Throws `unsupported` for a validator that is not in the set, or is not an L1 validator and has no validation id. */
async function validationIdOf({ subnet, nodeId }: L1Subject, call: TransactionRun<L1Subject>['call']): Promise<string> {
  const how = { maxAge: '1m' }
  // The same request as other collectors send, so that it is one call. A node that cannot read one id refuses all of
  // them.
  const { value, dropped } = await call(getCurrentValidators, { subnetID: subnet.id, ...nodeIdsOf(subnet) }, how).catch(
    (error: unknown) => {
      if (!isUnreadable(error)) throw error
      return call(getCurrentValidators, { subnetID: subnet.id, nodeIDs: [nodeId] }, how)
    },
  )
  const id = value.validators.find(({ nodeID }) => nodeID === nodeId)?.validationID
  if (id !== undefined) return id
  if (dropped > 0) throw new BaseError('bad_response', 'the validator may be among the unreadable records')
  throw value.validators.length === 0 ? noMembers() : new BaseError('unsupported', 'not an L1 validator now')
}

/** The top-ups of the validator. A page with only other validators' transactions must not pass for an empty one. */
async function* topupsOf(
  { network }: L1Subject,
  validationId: string,
  answers: AsyncIterable<Answer<AnswerOf<typeof listLatestTransactions>>>,
): AsyncGenerator<Transaction[]> {
  for await (const { value } of answers) {
    refuseOther(value.chainInfo, { chain: 'P', network })
    const own = value.transactions.filter(({ l1ValidatorDetails: named = [] }) => isAbout(validationId, named))
    if (own.length === 0 && value.transactions.length > 0) {
      throw new BaseError('bad_response', 'the data service lists transactions of other L1 validators')
    }
    yield own.filter(({ txType }) => isWord(txType, TOPUP))
  }
}

type Details = NonNullable<Transaction['l1ValidatorDetails']>

function isAbout(id: string, named: Details): boolean {
  const ids = named.flatMap(({ validationId }) => validationId ?? [])
  return ids.length === 0 || ids.includes(id)
}

/** In the smallest unit; undefined if the transaction does not say. */
function paidIn(
  { amountL1ValidatorBalanceBurned: burned, l1ValidatorDetails: named = [] }: Transaction,
  network: DataNetwork,
): bigint | undefined {
  // Every top-up pays something: 0, as from an empty list, is no answer.
  const stated = stakingSum(burned, network) || undefined
  const [only, ...others] = named
  const change = only && others.length === 0 ? only.balanceChange : undefined
  return stated ?? (change !== undefined && change > 0n ? change : undefined)
}

export async function collectTopups({ subject, memory, now, call, pages, flawed }: TransactionRun<L1Subject>) {
  const { network } = subject
  const validationId = await validationIdOf(subject, call)
  const isSame = memory?.validationId === validationId
  const from = memory && (isSame ? memory : { ...memory, ...beforeAll, newest: { total: '0', at: now } })
  const of = { network, blockchainId: 'p-chain', l1ValidationId: validationId, txTypes: [TOPUP], ...newestFirst }
  const listed = topupsOf(subject, validationId, pages(listLatestTransactions, of))
  const counted: HistoryOf<Transaction, Totals> = {
    ...identity,
    start: { types: {}, tokens: '0' },
    add: ({ tokens }, transaction) => ({ types: {}, tokens: plus(tokens, paidIn(transaction, network)) }),
  }
  const { history, problem, refused } = await followHistory(counted, listed, from, now)
  if (from && refused) return { samples: [], memory: { ...from, ...history }, refused }
  if (problem) flawed(problem)
  const { tokens } = history.totals
  return {
    samples: topupTotal.ifKnown({}, tokens === undefined ? undefined : toTokens(BigInt(tokens))),
    memory: { ...history, validationId },
  }
}
