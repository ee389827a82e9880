// The requests of `init` to one node. Each request may fail on its own.

import { toBaseError, BaseError, type ErrorCode } from '../../errors.ts'
import { readNodeId } from '../../lib/ids.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type AnswerOf, type Operation, type Params, parseAnswer, toWire } from '../../operations/define.ts'
import { getNodeID } from '../../operations/node/info.ts'
import type { AskBody } from '../../upstream/transports.ts'
import type { Source } from '../../upstream/source.ts'

export type Asking = ReturnType<typeof createAsking>

/** Errors that end the requests to this node: each further one would wait as long. */
const unreachable: readonly ErrorCode[] = ['network', 'timeout']
/** Errors with which a node answers that it lacks an optional API, or what was asked for. */
const lacking: readonly ErrorCode[] = ['unsupported', 'not_found']

/** Requests to one node. Failures become flaws, unless a failure is an answer itself. */
export function createAsking(ask: AskBody, url: string, flaws: string[]) {
  const secret = secretUrl(url)
  const shown = String(secret)
  const source: Source = { service: 'node', network: '', name: shown, url: secret }
  const nodeIds = new Set<string>()
  let isGone = false

  async function answerTo<O extends Operation>(operation: O, params: Params<O>): Promise<AnswerOf<O>> {
    const { raw, nodeId } = await ask(source, operation, toWire(operation, params))
    if (nodeId !== undefined && isNodeId(nodeId)) nodeIds.add(nodeId)
    try {
      return parseAnswer(operation, raw).value
    } catch (cause) {
      throw new BaseError('bad_response', 'the answer does not have the documented form', { cause })
    }
  }

  /** The answer, or the error; neither if no further request may be sent. */
  async function attempt<O extends Operation>(
    operation: O,
    params: Params<O>,
    what: string,
    quiet: readonly ErrorCode[] = [],
  ): Promise<{ answer?: AnswerOf<O>; code?: ErrorCode }> {
    if (isGone) return {}
    try {
      return { answer: await answerTo(operation, params) }
    } catch (thrown) {
      const { code, message } = toBaseError(thrown)
      if (quiet.includes(code)) return { code }
      // Without a node at the address, nothing else is worth asking.
      isGone = operation === (getNodeID as Operation) || unreachable.includes(code)
      flaws.push(`node ${shown}: ${what}: ${message}${isGone ? '; it was not asked for more' : ''}`)
      return { code }
    }
  }

  return {
    shown,
    /** The node ids that have answered at the address so far. */
    nodeIds: nodeIds as ReadonlySet<string>,
    /** Undefined if the request failed. */
    async for<O extends Operation>(operation: O, params: Params<O>, what: string) {
      return (await attempt(operation, params, what)).answer
    },
    /** The same for optional APIs: a missing one is not a failure. */
    async ask<O extends Operation>(operation: O, params: Params<O>, what: string) {
      return (await attempt(operation, params, what, lacking)).answer
    },
    /** Whether a node answers. */
    async isNode() {
      return (await attempt(getNodeID, {}, 'no node answers at this address')).answer !== undefined
    },
    /** Whether an API answers at all. */
    async answers<O extends Operation>(operation: O, params: Params<O>, what: string) {
      const { answer, code } = await attempt(operation, params, what, lacking)
      if (code === 'unsupported') return false
      return answer !== undefined || code === 'not_found' ? true : undefined
    },
  }
}

export function isNodeId(text: string): boolean {
  return readNodeId(text).wrong === undefined
}
