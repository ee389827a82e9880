// The requests of `init` to one node. Each request may fail on its own.

import { toBaseError, BaseError, type ErrorCode } from '../../errors.ts'
import { readNodeId } from '../../lib/ids.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type AnswerOf, type Operation, type Params, parseAnswer, toWire } from '../../operations/define.ts'
import { getNodeID } from '../../operations/node/info.getNodeID.ts'
import type { AskBody } from '../../upstream/transports.ts'
import type { Source } from '../../upstream/source.ts'

/** Requests to one node. Failures are recorded, unless a failure is an answer itself. */
export interface Asking {
  shown: string
  /** The node ids that have answered at the address so far. */
  nodeIds: ReadonlySet<string>
  /** Undefined if the request failed. */
  for<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<AnswerOf<O> | undefined>
  /** The same for optional APIs: a missing one is not a failure. */
  ask<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<AnswerOf<O> | undefined>
  /** Whether a node answers. Without an answer, no further requests are sent. */
  isNode(): Promise<boolean>
  /** Whether an API answers at all. */
  answers<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<boolean | undefined>
}

/** Errors that end the requests to this node: each further one would wait as long. */
const unreachable = new Set<ErrorCode>(['network', 'timeout'])

export function createAsking(ask: AskBody, url: string, flaws: string[]): Asking {
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

  function note(what: string, { code, message }: BaseError): undefined {
    isGone ||= unreachable.has(code)
    flaws.push(`node ${shown}: ${what}: ${message}${isGone ? '; it was not asked for more' : ''}`)
  }

  return {
    shown,
    nodeIds,
    async for(operation, params, what) {
      if (isGone) return undefined
      try {
        return await answerTo(operation, params)
      } catch (thrown) {
        return note(what, toBaseError(thrown))
      }
    },
    async ask(operation, params, what) {
      if (isGone) return undefined
      try {
        return await answerTo(operation, params)
      } catch (thrown) {
        const error = toBaseError(thrown)
        return error.code === 'unsupported' || error.code === 'not_found' ? undefined : note(what, error)
      }
    },
    async isNode() {
      if (isGone) return false
      try {
        await answerTo(getNodeID, {})
        return true
      } catch (thrown) {
        isGone = true
        note('no node answers at this address', toBaseError(thrown))
        return false
      }
    },
    async answers(operation, params, what) {
      if (isGone) return undefined
      try {
        await answerTo(operation, params)
        return true
      } catch (thrown) {
        const error = toBaseError(thrown)
        if (error.code === 'unsupported') return false
        return error.code === 'not_found' || note(what, error)
      }
    },
  }
}

export function isNodeId(text: string): boolean {
  return readNodeId(text).wrong === undefined
}
