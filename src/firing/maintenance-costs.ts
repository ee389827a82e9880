// What maintenance windows cost: the conditions that warn a day before, judged over one set of samples, however far ahead a window is.

import { thresholds } from '../alerts/thresholds.ts'
import { createBoard } from '../conditions/board.ts'
import { createJudge } from '../conditions/judge.ts'
import { costs } from '../conditions/window-costs.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Vector } from '../promql/sample.ts'
import { parseTemplate, render } from './template.ts'

export interface Cost {
  /** The rule that warns of it. */
  alert: string
  /** With the network and the window. */
  labels: Labels
  text: string
}

const limits = { ...thresholds, maintenanceNotice: Number.MAX_SAFE_INTEGER }

/** `now` is in milliseconds. */
export function costsAmong(samples: ReadonlyMap<string, Vector>, now: number): Cost[] {
  const board = createBoard()
  board.replace('all', samples)
  const { judged } = createJudge(costs).judge(board, now / 1_000, limits)
  return judged.map(({ condition: { alert, description }, labels, value }) => {
    return { alert, labels, text: render(parseTemplate(description), { labels, value, query: () => [] }) }
  })
}
