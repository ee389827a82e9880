// node-admin: whether a node's admin interface answers, and the levels of its loggers. admin.getLoggerLevel (document 2, Admin
// interface) changes nothing.

import { BaseError } from '../../errors.ts'
import { ofNode, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getLoggerLevel } from '../../operations/node/admin.ts'
import { boundedKey, knownSpelling } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'

const reachable = ofNode.gauge('stakewatch_node_admin_api_reachable', {
  help: "Whether the node's admin API answers: 1 or 0; absent while the node does not answer (admin.getLoggerLevel).",
  details: '0: the node says that it does not serve the API, or refuses.',
})
const loggerLevel = ofNode.gauge('stakewatch_node_logger_level', {
  help: "Lowest level that the node's logger writes to its file (log) or console (display): 1 for the current one (admin.getLoggerLevel).",
  labels: ['logger', 'output', 'level'],
})

/** Usual number of a node: an estimate. */
const USUAL_LOGGERS = 8

/** Whether the API answers is the question, so it is asked at every run. */
const PROBE = { maxAge: '0s' }

export const nodeAdmin = defineCollector({
  name: 'node-admin',
  about: "Whether nodes' admin APIs answer, and their log levels.",
  every: '5m',
  uses: [getLoggerLevel],
  observer: 'each',
  isObserver: ({ admin }) => admin !== 'off',
  metrics: [reachable, loggerLevel],
  subjects: () => [{ name: 'all', labels: {} }],
  estimate: () => ({ series: 1 + 2 * USUAL_LOGGERS }),
  async collect({ call, attempt }) {
    const asked = call(getLoggerLevel, {}, PROBE)
    if (!(await asked.then(() => true, isAnswered))) return { samples: [reachable.sample({}, 0)] }
    const found = reachable.sample({}, 1)
    if (await asked.then(() => false, isWithoutLevels)) return { samples: [found] }
    const levels = await attempt(() => asked)
    const samples = levelSamples(levels.value?.value.loggerLevels ?? {})
    return { samples: [found], parts: [{ name: 'loggers', of: [levels], samples }] }
  },
})

/** From the error of a call: an API that is on may lack an answer. A silent node proves nothing. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) throw error
  if (error.code === 'rpc_error' || isWithoutLevels(error)) return true
  if (error.code === 'unsupported' || /^HTTP 40[13]($| with a page )/.test(error.message)) return false
  throw error
}

/** An old API lacks the method. */
function isWithoutLevels(error: unknown): boolean {
  return error instanceof BaseError && error.details?.includes("can't find method") === true
}

const LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'trace', 'debug', 'verbo']

/** Loggers beyond the bound share the name `other`, with one series for each level that any of them has. */
function levelSamples(loggers: AnswerOf<typeof getLoggerLevel>['loggerLevels']): Sample[] {
  const names: Record<string, true> = {}
  const samples = new Map<string, Sample>()
  const byName = Object.entries(loggers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, { logLevel: log, displayLevel: display }] of byName) {
    const logger = boundedKey(names, name)
    names[logger] = true
    for (const [output, said] of Object.entries({ log, display })) {
      const level = knownSpelling(LEVELS, said) ?? 'other'
      if (said !== undefined)
        samples.set([logger, output, level].join(' '), loggerLevel.sample({ logger, output, level }, 1))
    }
  }
  return [...samples.values()]
}
