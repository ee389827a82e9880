// What needs attention of wallets, and of messages between chains, as the alert rules about them have it (alerts/wallets.ts,
// alerts/messages.ts).

import { thresholds as limits } from '../alerts/thresholds.ts'
import { finding } from './findings.ts'
import { type Asked, OTHER_CHAIN } from './findings-of-chains.ts'
import { ofMessages, ofWallet } from './metrics.ts'
import type { Said } from './readings.ts'
import type { Finding } from './schema.ts'
import { durationText } from './words.ts'

export interface AroundWallet {
  asked: Asked
  isServiceBehind: boolean
  /** All that could tell what it has was asked, and nothing keeps it from answering. */
  isUnknownNews: boolean
}

export function findingsOfWallet(own: Said, { asked, isServiceBehind, isUnknownNews }: AroundWallet): Finding[] {
  const found: Finding[] = []
  const left = unmetOn(own, 'outgoing', ofWallet.transactionsMet, ofWallet.erc20Met)
  for (const chain of left) {
    found.push(finding('StakewatchUnexpectedOutflow', `something has left it on ${chain}, and nothing may`))
  }
  for (const chain of unmetOn(own, 'min_balance', ofWallet.balanceMet, ofWallet.nativeBalanceMet)) {
    found.push(finding('StakewatchWalletLow', `it has less than its minimum on ${chain}`))
  }
  const isTold = [ofWallet.balance, ofWallet.nativeBalance, ofWallet.nodeBalance].some(
    (metric) => own.all(metric).length > 0,
  )
  if (isUnknownNews && !isTold) found.push(finding('StakewatchWalletUnknown', 'nothing tells what it has'))
  const [end, told] = [own.value(ofWallet.pendingReward), asked('pending-rewards')]
  if (end !== null && told !== null && told - end > limits.rewardOverdue && !isServiceBehind) {
    const text = `a stake ended ${durationText(told - end)} ago, and its reward has not come`
    found.push(finding('StakewatchRewardOverdue', text))
  }
  const mismatches = [ofWallet.balancesMismatch, ofWallet.stakesMismatch, ofWallet.transactionsMismatch]
  if (mismatches.some((metric) => own.all(metric).some(({ value }) => value === 1))) {
    found.push(finding('StakewatchSourcesDisagree', OTHER_CHAIN))
  }
  return found
}

/** Chains on which what is declared of the wallet is not so. A wallet on the C-Chain has two metrics of each kind. */
function unmetOn(own: Said, expectation: string, ...metrics: readonly string[]): Set<string> {
  const unmet = metrics
    .flatMap((metric) => own.all(metric))
    .filter(({ labels, value }) => labels['expectation'] === expectation && value === 0)
  return new Set(unmet.map(({ labels }) => labels['chain'] ?? ''))
}

/** Of messages that hang now: those that were given up on are gone, and only an increase within the day would tell of them. */
export function findingsOfRoute(own: Said, asked: number | null, isServiceBehind: boolean): Finding[] {
  const oldest = own.value(ofMessages.oldestPending)
  if (oldest === null || asked === null || isServiceBehind || asked - oldest <= limits.messagePending) return []
  return [
    finding('StakewatchIcmStuck', `its oldest message that is not delivered is ${durationText(asked - oldest)} old`),
  ]
}

export function findingsOfProbe(own: Said): Finding[] {
  if (own.isSo(ofMessages.signed) !== false) return []
  return [finding('StakewatchSignaturesMissing', 'too few validators sign its message')]
}
