// A runner in tests that are about one thing: it publishes, counts and logs nothing, and no source is down, unless they say otherwise.

import { createMemories } from '../../src/run/memory.ts'
import { createRunner, type Runner, type RunnerOptions } from '../../src/run/run.ts'

export function quietRunner(given: Pick<RunnerOptions, 'client' | 'clock'> & Partial<RunnerOptions>): Runner {
  return createRunner({
    memories: createMemories(),
    publish: () => {},
    seriesDropped: () => {},
    answerRefused: () => {},
    standing: () => 'up',
    log: { info: () => {}, warn: () => {} },
    ...given,
  })
}
