// One node that `init` asks. Each question may fail alone.

import { asBaseError, BaseError, type ErrorCode } from '../../errors.ts'
import { readNodeId } from '../../lib/ids.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type AnswerOf, type Operation, type Params, parseAnswer, toWire } from '../../operations/define.ts'
import { getNodeID } from '../../operations/node/info.getNodeID.ts'
import type { AskBody } from '../../upstream/client.ts'
import type { Source } from '../../upstream/source.ts'

/** One node that is asked. What it does not answer is noted, unless that is an answer itself. */
export interface Asking {
  shown: string
  /** Of all that answered at the address so far. */
  nodeIds: ReadonlySet<string>
  /** Undefined: it could not be looked at. */
  for<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<AnswerOf<O> | undefined>
  /** The same for what a node may lack: that it has none is no flaw. */
  tells<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<AnswerOf<O> | undefined>
  /** Whether a node answers there. Where none does, nothing else is asked. */
  isNode(): Promise<boolean>
  /** Whether an interface answers, whatever it says. */
  answers<O extends Operation>(operation: O, params: Params<O>, what: string): Promise<boolean | undefined>
}

/** After these it is not asked again: each further question would wait as long. */
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
        return note(what, asBaseError(thrown))
      }
    },
    async tells(operation, params, what) {
      if (isGone) return undefined
      try {
        return await answerTo(operation, params)
      } catch (thrown) {
        const error = asBaseError(thrown)
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
        note('no node answers at this address', asBaseError(thrown))
        return false
      }
    },
    async answers(operation, params, what) {
      if (isGone) return undefined
      try {
        await answerTo(operation, params)
        return true
      } catch (thrown) {
        const error = asBaseError(thrown)
        if (error.code === 'unsupported') return false
        return error.code === 'not_found' || note(what, error)
      }
    },
  }
}

export function isNodeId(text: string): boolean {
  return readNodeId(text).wrong === undefined
}
