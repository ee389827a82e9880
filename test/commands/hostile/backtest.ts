// What backtest makes of a history.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { reportOver } from '../../../src/commands/backtest/backtest.ts'
import { type Plan, planOf } from '../../../src/commands/backtest/replay.ts'
import { alertsIn, jsonOf } from '../../../src/commands/backtest/report.ts'
import { textOf } from '../../../src/commands/backtest/text.ts'
import { failureText } from '../../../src/commands/failure.ts'
import { prometheusAt } from '../../../src/commands/monitoring/prometheus.ts'
import { readAlertmanagerConfig } from '../../../src/commands/monitoring/routes.ts'
import { walletLow } from '../../../src/conditions/wallets/wallets.ts'
import { BaseError } from '../../../src/errors.ts'
import type { Hostile } from './answers.ts'
import { createStack, inStillTime, nothingSeen, promiseHarmless } from './commands.ts'
import { type Kind, NOW, ROUTES } from './stack.ts'

const STEP = 3_600

/** To judge all that conditions read takes longer than everything else. */
function smallPlan(): Plan {
  const plan = planOf('stakewatch', [thresholds])
  return { ...plan, judged: new Map([...plan.judged].filter(([metric]) => walletLow.reads.includes(metric))) }
}

export async function attackBacktest(kind: Kind, input: Hostile): Promise<unknown> {
  const example = readAlertmanagerConfig(ROUTES)
  const seen = nothingSeen()
  const flags = { since: 7_200_000, job: 'stakewatch' }
  const server = { url: 'http://prometheus:9090', headers: {}, hints: {} }
  const prometheus = prometheusAt(createStack(kind, input), server)
  try {
    await inStillTime(async () => {
      const judging = { prometheus, server, plan: smallPlan(), example, step: STEP, to: Math.floor(NOW / STEP) }
      const report = await reportOver(judging, flags, { progress: () => {} })
      const [alert] = [undefined, 'StakewatchDown', ...alertsIn(report)].slice(input.words % 3)
      seen.stdout = input.words % 2 === 0 ? textOf(report, alert) : jsonOf(report, alert)
    })
  } catch (error) {
    if (!(error instanceof BaseError) || error.code === 'bug') throw error
    seen.stderr = `${failureText(error)}\n`
  }
  promiseHarmless(seen)
  return seen
}
