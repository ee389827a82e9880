// signature-probe: whether the validators of a subnet still sign messages to other chains. Aggregate signatures, or get
// the signatures for a transaction (document 1, operations 1 and 2). Both make validators work, so the collector is
// opt-in.

import { BaseError } from '../../errors.ts'
import { ofNetwork } from '../../metrics/define.ts'
import { aggregateSignatures, getAggregatedSignatures } from '../../operations/data/signatures.ts'
import { defineCollector } from '../define.ts'

const success = ofNetwork.gauge('stakewatch_signature_aggregation_success', {
  help: "Whether validators of enough weight signed the probe's message: 1 or 0; absent when the data service could not try.",
  labels: ['probe'],
})
const duration = ofNetwork.gauge('stakewatch_signature_aggregation_duration_seconds', {
  help: 'How long the data service took to gather the signatures; absent when there were too few.',
  labels: ['probe'],
})

export const signatureProbe = defineCollector({
  name: 'signature-probe',
  about: 'Whether enough validators sign the configured messages to other chains.',
  every: '1h',
  uses: [aggregateSignatures, getAggregatedSignatures],
  isOptIn: true,
  metrics: [success, duration],
  subjects: ({ signature_probes, data_api }) =>
    data_api ? signature_probes.map((probe) => ({ ...probe, labels: {}, network: data_api.network })) : [],
  partOf: ({ name }) => `probe/${name}`,
  estimate: ({ tx }) => ({
    calls: [{ operation: tx === undefined ? aggregateSignatures : getAggregatedSignatures, times: 1 }],
    series: 2,
  }),
  async collect({ subject, call }) {
    const { name: probe, network, tx, message, justification, signing_subnet, quorum } = subject
    const asked =
      tx === undefined
        ? call(aggregateSignatures, {
            network,
            message,
            justification,
            signingSubnetId: signing_subnet,
            quorumPercentage: quorum,
          })
        : call(getAggregatedSignatures, { network, txHash: tx })
    const answer = await asked.catch(ignoreTooFew)
    if (!answer) return { samples: [success.sample({ probe }, 0)] }
    if (!/^(0x)?([0-9a-f]{2})+$/i.test(answer.value.signedMessage)) {
      throw new BaseError('bad_response', 'the signed message is not hexadecimal')
    }
    return { samples: [success.sample({ probe }, 1), duration.sample({ probe }, answer.took / 1_000)] }
  },
})

/**
 * The documents define no status for a missed quorum, so the words of the error decide: those of the aggregator that
 * live services run, and of a plain refusal. An error about a parameter has the name of the parameter.
 */
const TOO_FEW =
  /\bquorum\b.*\bnot (be )?reached\b|\bthreshold of (signatures|stake)\b|\bsignature weight is insufficient\b/i

/** Any other failure says nothing about the validators. */
function ignoreTooFew(error: unknown): undefined {
  if (error instanceof BaseError && error.code === 'http_status' && TOO_FEW.test(error.details ?? '')) return undefined
  throw error
}
