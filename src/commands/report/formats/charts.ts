// Charts as SVG without a script. Each has a title, and each day of a chart has its figures as a title of its own.

import { amount, timeText } from '../../../lib/figures.ts'
import { type Html, markup } from '../../../status/page/markup.ts'
import type { State } from '../figures/timeline.ts'
import { DAY } from '../../../lib/seconds.ts'
import { type Chart, hoursText, type Line } from './document.ts'

const [WIDTH, HEIGHT] = [560, 132]
/** Room for the labels of the axes. */
const [LEFT, TOP, BOTTOM] = [64, 10, 26]
const BODY = HEIGHT - TOP - BOTTOM
/** A minute of a day would be invisible. */
const LEAST = 3

const dayText = (start: number) => timeText(start).slice(0, 10)
const day = (start: number) => String(new Date(start * 1_000).getUTCDate())

export function chartHtml(chart: Chart, id: string): Html {
  const body = chart.kind === 'days' ? daysBody(chart) : linesBody(chart)
  const legend =
    chart.kind === 'days'
      ? LEGEND.filter((state) => chart.days.some(({ times }) => times[state] > 0)).map((state) => ({
          name: stateTexts[state],
          style: `is-${state}`,
        }))
      : chart.lines.map(({ name }, at) => ({ name, style: `line-${at}` }))
  return markup`<figure>
    <figcaption>${chart.title}</figcaption>
    <div class="wide" role="region" aria-labelledby="${id}" tabindex="0"><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}">
      <title id="${id}">${chart.title}</title>
      ${body}
    </svg></div>
    <ul class="legend small">${legend.map(({ name, style }) => markup`<li><span class="key ${style}"></span>${name}</li> `)}</ul>
  </figure>`
}

const stateTexts: Readonly<Record<State, string>> = {
  up: 'connected',
  down: 'down',
  out: 'not in the set',
  unobserved: 'unobserved',
}
const LEGEND: readonly State[] = ['up', 'down', 'unobserved', 'out']
/** From the top of a bar to its bottom: what is rare is at the top. */
const ORDER: readonly State[] = ['down', 'unobserved', 'out', 'up']

function daysBody({ days }: Extract<Chart, { kind: 'days' }>): Html[] {
  const width = (WIDTH - LEFT) / days.length
  const bars = days.map(({ start, times }, at) => {
    const known = ORDER.filter((state) => times[state] > 0)
    const total = known.reduce((sum, state) => sum + times[state], 0)
    const most = known.toSorted((a, b) => times[b] - times[a])[0]
    const heights = new Map(known.map((state) => [state, Math.max(LEAST, (BODY * times[state]) / DAY)]))
    // What is thickened is taken from the largest part.
    const over = [...heights.values()].reduce((sum, one) => sum + one, 0) - (BODY * total) / DAY
    if (most) heights.set(most, Math.max(LEAST, heights.get(most)! - over))
    let top = TOP + BODY - (BODY * total) / DAY
    const x = round(LEFT + at * width + 1)
    const parts = known.map((state) => {
      const height = heights.get(state)!
      top += height
      return markup`<rect class="is-${state}" x="${x}" y="${round(top - height)}" width="${round(width - 2)}" height="${round(height)}" />`
    })
    const texts = known.map((state) => `${stateTexts[state]} ${hoursText(times[state])}`)
    return markup`<g><title>${dayText(start)}: ${texts.join(', ')}</title>${parts}</g>`
  })
  const starts = days.map(({ start }) => start)
  return [axis('24 h', TOP), axis('0 h', TOP + BODY), ...dates(starts, width, width / 2), ...bars]
}

function linesBody({ starts, lines, unit }: Extract<Chart, { kind: 'lines' }>): Html[] {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== undefined))
  if (known.length === 0) return []
  const [least, most] = [Math.min(...known), Math.max(...known)]
  // A line that never changes is in the middle.
  const [low, high] = least === most ? [least - 1, most + 1] : [least, most]
  const width = (WIDTH - LEFT) / starts.length
  const y = (value: number) => round(TOP + BODY * (1 - (value - low) / (high - low)))
  const x = (at: number) => round(LEFT + (at + 0.5) * width)
  const labels = least === most ? [least] : [most, least]
  // Broken where a day is not known.
  const lineHtml = ({ name, values }: Line, at: number) => {
    const points = values.flatMap((value, day) => (value === undefined ? [] : [{ day, value }]))
    const path = points.map(
      ({ day, value }) => `${day > 0 && values[day - 1] !== undefined ? 'L' : 'M'}${x(day)} ${y(value)}`,
    )
    const dots = points.map(
      ({ day, value }) =>
        markup`<circle class="line-${at}" cx="${x(day)}" cy="${y(value)}" r="2.5"><title>${dayText(starts[day]!)}, ${name}: ${amount(value)} ${unit}</title></circle>`,
    )
    return markup`<path class="line-${at}" d="${path.join('')}" />${dots}`
  }
  return [
    ...labels.map((value) => axis(amount(value), y(value))),
    ...dates(starts, width, width / 2),
    ...lines.map(lineHtml),
  ]
}

function axis(text: string, y: number): Html {
  return markup`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}" /><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${text}</text>`
}

/** Every fifth day, and the first one. */
function dates(starts: readonly number[], width: number, offset: number): Html[] {
  return starts.flatMap((start, at) =>
    at % 5 === 0
      ? [
          markup`<text x="${round(LEFT + at * width + offset)}" y="${HEIGHT - 6}" text-anchor="middle">${day(start)}</text>`,
        ]
      : [],
  )
}

const round = (value: number) => Math.round(value * 10) / 10
