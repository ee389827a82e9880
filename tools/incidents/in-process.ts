// Requests to a simulated network that skip the connection: each would cost more than the answer. The client's own code and the
// simulator's stay. What only a connection can show, such as a reset, goes through one.

import { STATUS_CODES } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { keyIn, type Simulator } from '../../src/simulator/simulator.ts'

let asked: Pick<Simulator, 'ask'> | undefined

/** From now on requests to its upstreams are answered in this process; without a simulator, none. */
export function answerInProcess(simulator: Pick<Simulator, 'ask'> | undefined): void {
  asked = simulator
}

const throughConnection = Agent.prototype.dispatch
Agent.prototype.dispatch = function (options, handler) {
  const { origin, path, method, headers, body } = options
  const fields = (headers ?? {}) as Readonly<Record<string, string>>
  const answer = asked?.ask(String(origin), {
    method,
    url: path,
    host: String(origin).slice('http://'.length),
    contentType: fields['content-type'],
    key: keyIn(fields),
    body: typeof body === 'string' ? body : '',
  })
  if (!answer) return throughConnection.call(this, options, handler)
  const controller = createController(handler)
  handler.onRequestStart?.(controller, {})
  void answer.then(({ status, headers: sent, text }) => {
    if (controller.aborted) return
    const bytes = Buffer.from(text)
    const received = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value] as const)
    const all = { ...Object.fromEntries(received), 'content-length': String(bytes.length) }
    handler.onResponseStart?.(controller, status, all, STATUS_CODES[status])
    if (!controller.aborted && bytes.length > 0) handler.onResponseData?.(controller, bytes)
    if (!controller.aborted) handler.onResponseEnd?.(controller, {})
  })
  return true
}

function createController(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchController {
  let reason: Error | null = null
  return {
    get aborted() {
      return reason !== null
    },
    get reason() {
      return reason
    },
    paused: false,
    rawHeaders: null,
    rawTrailers: null,
    abort(why: Error) {
      if (reason) return
      reason = why
      handler.onResponseError?.(this, why)
    },
    // The answer is there as a whole.
    pause() {},
    resume() {},
  }
}
