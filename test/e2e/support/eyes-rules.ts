// What may be wrong with what is seen.

import type { Drawn, Seen, Text } from '../eyes/seen.ts'

/** The least pixels of a letter in a tile that names an object. */
const LEGIBLE = 9

type Colour = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'purple' | 'grey'

/** How bad it is. A table writes what is well in the colour of text, so that the rest stands out. */
const severity: Readonly<Record<Colour, number>> = {
  green: 0,
  grey: 0,
  blue: 0,
  purple: 0,
  yellow: 1,
  orange: 2,
  red: 3,
}

/** What each state is called, by the colours that it may have. */
const states: readonly (readonly [readonly Colour[], string])[] = [
  [
    ['green', 'grey'],
    'yes, ok, up, met, safe, fine, enough, known, running, connected, validating, granted, success, asked, in the set, in order, in time, as set, as on disk, ticks, goes on',
  ],
  [
    ['red'],
    'NO, AWAY, FAILED, FAILS, MISSING, NONE, NOT AS SET, NOT MET, NOT in the set, OFFLINE, REFUSED, STALLED, TOO FEW, UNKNOWN, critical, dead, disconnected, down, failed, inactive, lost, not asked, not in the set, not_answering, offline, other, refused, reward lost, unknown',
  ],
  [['orange'], 'UNAVAILABLE, UNLISTED, YES, at risk, bootstrapping, created, not yet, starting, undecided, warning'],
  [['yellow'], 'preferred'],
  [['blue'], 'open, in maintenance'],
  [['purple'], 'info, on track, syncing'],
  [
    ['grey'],
    'closed, custom, does not, no, no data, no end, no L1, no route, none, not an L1, renews, untracked, –, NaN',
  ],
]
const coloursOf = new Map(
  states.flatMap(([colours, words]) => words.split(', ').map((word) => [word, colours] as const)),
)

/** Titles of what is worse the less there is; everything else is worse the more there is. */
const lessIsWorse =
  /^of$|\b(budget|runway|weight|left(?! out)|spare|instances|observers|answers|seen by|connected|in its set|may stop|active|(leaves|reward|upgrade) in)\b/i

function hueOf([red, green, blue]: Text['colour']): Colour {
  const most = Math.max(red, green, blue)
  const chroma = most - Math.min(red, green, blue)
  if (chroma < 50) return 'grey'
  const sector =
    most === red
      ? ((green - blue) / chroma + 6) % 6
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4
  const degrees = sector * 60
  const [hue] = (
    [
      ['red', 15],
      ['orange', 42],
      ['yellow', 65],
      ['green', 180],
      ['blue', 245],
      ['purple', 310],
      ['red', 360],
    ] as const
  ).find(([, end]) => degrees < end)!
  return hue
}

const quoted = (texts: readonly Text[]) => texts.map(({ text }) => JSON.stringify(text))
const isNumber = (text: string) => /^[-+]?([\d.,]+(e[-+]?\d+)?|∞)( ?[^\d\s]\S*)?$/.test(text)

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The middle may be left out, and what all names begin with. */
function isReadAs(name: string, text: string): boolean {
  const [head = '', tail] = inOneLine(text).split('…')
  if (tail === undefined) return head.includes(name.replace(/^Stakewatch/, ''))
  return name.startsWith(head) && name.endsWith(tail)
}

const unread = (names: Seen['columns'][number]['values'], shown: readonly Text[]) =>
  names
    .map((name) => inOneLine(String(name ?? '')))
    .filter((name) => name !== '' && !shown.some(({ text }) => isReadAs(name, text)))

type Rule = (seen: Seen, drawn: Drawn) => string[]

const isOf = (seen: Seen, text: Text) => text.column !== undefined && seen.columns[text.column]?.isNumber === true

/** Of names: those that are mapped, such as the severity of an alert. */
const isColoured = ({ text, colour }: Text) => coloursOf.has(text) && hueOf(colour) !== 'grey'

/** States as they are coloured: in cells of numbers, in tiles, and next to timelines. */
function statesOf(seen: Seen, { panel }: Drawn): Text[] {
  return seen.texts.filter((one) => {
    if (one.part === 'legend') return panel.type === 'state-timeline' && !isNumber(one.text)
    // A unit is a text of its own.
    if (one.part === 'tile')
      return (
        !seen.names.map(inOneLine).includes(inOneLine(one.text)) &&
        !seen.texts.some(({ part, text }) => part === 'tile' && isNumber(text))
      )
    return one.part === 'cell' && (isOf(seen, one) ? !isNumber(one.text) : isColoured(one))
  })
}

export const rules = {
  'cuts a text without a sign of it': ({ texts }) => quoted(texts.filter(({ cut }) => cut === 'silently')),
  'cuts a title': ({ texts }) =>
    quoted(texts.filter(({ part, cut }) => (part === 'title' || part === 'header') && cut)),
  'cuts a number': (seen) =>
    quoted(
      seen.texts.filter(
        (one) =>
          one.cut &&
          (isOf(seen, one) ||
            (one.part !== 'cell' && isNumber(one.text) && !seen.names.map(inOneLine).includes(inOneLine(one.text)))),
      ),
    ),
  'has columns out of sight': ({ hidden }, { width }) => (hidden > 0 && width > 1_000 ? [`${hidden} pixels`] : []),
  'turns a name into something else': ({ texts, columns, names }) => {
    const inCells = columns.flatMap(({ isNumber: isValue, values }, column) => {
      const shown = texts.filter((one) => one.part === 'cell' && one.column === column)
      return isValue || shown.every(({ text }) => coloursOf.has(text)) ? [] : unread(values, shown)
    })
    return [
      ...inCells,
      ...unread(
        names,
        texts.filter(({ part }) => part === 'tile' || part === 'legend'),
      ),
    ]
  },
  'writes one text over another': ({ texts }) =>
    texts.flatMap((a, at) =>
      texts
        .slice(at + 1)
        .filter(({ box: b }) => {
          const wide = Math.min(a.box.right, b.right) - Math.max(a.box.left, b.left)
          const high = Math.min(a.box.bottom, b.bottom) - Math.max(a.box.top, b.top)
          return wide > 2 && high > a.pixels / 3
        })
        .map(({ text }) => `${JSON.stringify(a.text)} and ${JSON.stringify(text)}`),
    ),
  'names an object in letters that are too small': ({ texts, names }) =>
    texts
      .filter(({ part, text, pixels }) => part === 'tile' && names.includes(text) && pixels < LEGIBLE)
      .map(({ text, pixels }) => `${text}: ${pixels} pixels`),
  'has a state in a colour of another meaning': (seen, drawn) =>
    statesOf(seen, drawn)
      .filter(({ text, colour }) => !coloursOf.get(text)?.includes(hueOf(colour)))
      .map(
        ({ text, colour }) =>
          `${text} is ${hueOf(colour)}, ${coloursOf.has(text) ? 'not' : 'and has'} ${coloursOf.get(text)?.join(' or ') ?? 'no meaning yet'}`,
      ),
} as const satisfies Record<string, Rule>

export function findings(seen: Seen, drawn: Drawn): string[] {
  return Object.entries<Rule>(rules).flatMap(([name, find]) =>
    [...new Set(find(seen, drawn))].map((what) => `${drawn.panel.title} (${drawn.width} pixels) ${name}: ${what}`),
  )
}

/** Of the same panel with the least and the greatest values: which columns have the colours of the wrong end. */
export function wrongWay(least: Seen, greatest: Seen, { panel }: Drawn): string[] {
  const worst = ({ texts }: Seen, column?: number) =>
    Math.max(
      ...texts
        .filter((one) => (column === undefined ? one.part === 'tile' : one.part === 'cell' && one.column === column))
        .map(({ colour }) => severity[hueOf(colour)]),
    )
  const parts =
    panel.type === 'stat'
      ? [{ title: panel.title!, column: undefined }]
      : least.columns
          .map(({ title }, column) => ({ title, column }))
          .filter(({ column }) => least.columns[column]!.isNumber)
  return parts
    .map(({ title, column }) => ({ title, low: worst(least, column), high: worst(greatest, column) }))
    .filter(({ title, low, high }) => Math.max(low, high) > 0 && (lessIsWorse.test(title) ? low <= high : high <= low))
    .map(
      ({ title }) =>
        `${panel.title}: ${title} is worse when it is ${lessIsWorse.test(title) ? 'low' : 'high'}, and is coloured otherwise`,
    )
}
