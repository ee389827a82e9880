// Any number of validators, and the answer of a node that lists them: the same for the same number, in the form of a real
// node's records.

import { hash } from 'node:crypto'
import { toCb58 } from '../../src/lib/ids.ts'

/** Unix seconds: the clocks of the poll and of its floor show this time. */
export const NOW = 1_800_000_000

const DAY = 86_400
const TOKEN = 1_000_000_000

export interface BenchValidator {
  nodeId: string
  name: string
}

/** Hexadecimal digits that look random. */
function digits(text: string, length: number): string {
  let all = ''
  for (let part = 0; all.length < length; part += 1) all += hash('sha256', `${text} ${part}`)
  return all.slice(0, length)
}

const bytes = (text: string, length: number) => Buffer.from(digits(text, 2 * length), 'hex')

export function benchValidators(count: number): BenchValidator[] {
  return Array.from({ length: count }, (_, at) => ({
    nodeId: `NodeID-${toCb58(bytes(`node ${at}`, 20))}`,
    name: `validator-${at}`,
  }))
}

/**
 * The body of an answer to platform.getCurrentValidators, with room for the id of the question at its end. The records
 * have the order of the configuration; their values differ, so that each state of a reward occurs.
 */
export function answerBody(validators: readonly BenchValidator[], now: number): Buffer {
  const records = validators.map(({ nodeId }, at) => JSON.stringify(record(nodeId, at, now)))
  return Buffer.from(`{"jsonrpc":"2.0","result":{"validators":[${records.join(',')}]},"id":${'0'.padStart(ID_ROOM)}}\n`)
}

/** Digits of an id. */
const ID_ROOM = 12

/** Position of the id, from the end. */
const ID_AT = ID_ROOM + 2

/** Writes the id of the question in place: the bytes are ready, and no answer is copied for it. */
export function writeId(body: Buffer, id: string): void {
  body.write(id.padStart(ID_ROOM), body.length - ID_AT, 'latin1')
}

/** The answer to a question for the upgrades of the network, with none scheduled; undefined for another question. */
export function upgradesAnswer(question: string): Buffer | undefined {
  if (!question.slice(0, 100).includes('"info.upgrades"')) return undefined
  return Buffer.from(`{"jsonrpc":"2.0","id":${idOf(question)},"result":{"heliconTime":"9999-12-01T00:00:00Z"}}\n`)
}

/** Finds the id of a question near its beginning. */
export const idOf = (question: string) => /^.{0,40}"id":(\d+)/.exec(question)![1]!

function record(nodeID: string, at: number, now: number) {
  const owner = { locktime: '0', threshold: '1', addresses: [`P-avax1${digits(`owner ${at}`, 38)}`] }
  const start = now - (1 + (at % 300)) * DAY
  const own = 2_000 + (at % 997) * 1.618033988
  return {
    txID: toCb58(bytes(`transaction ${at}`, 32)),
    startTime: String(start),
    endTime: String(start + (301 + (at % 64)) * DAY),
    weight: String(Math.round(own * TOKEN)),
    nodeID,
    validationRewardOwner: owner,
    delegationRewardOwner: owner,
    potentialReward: String(Math.round(own * 0.071828 * TOKEN)),
    accruedDelegateeReward: String((at % 13) * 123_456_789),
    delegationFee: (2 + (at % 19) * 0.25).toFixed(4),
    uptime: (100 - (at % 11) * 2.3457).toFixed(4),
    connected: at % 17 !== 0,
    signer: {
      publicKey: `0x${digits(`key ${at}`, 96)}`,
      proofOfPossession: `0x${digits(`proof ${at}`, 192)}`,
    },
    delegatorCount: String(at % 40),
    delegatorWeight: String(Math.round((at % 40) * 137.5 * TOKEN)),
  }
}
