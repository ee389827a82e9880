// The eyes that look at the dashboards notice each fault: panels with one fault each, in a real browser.

import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Marks, NONE, type States, tile, timeline } from '../../dashboards/src/panels.ts'
import { table } from '../../dashboards/src/table.ts'
import { TOKENS } from '../../dashboards/src/units.ts'
import type { Drawn } from './eyes/seen.ts'
import { CHROMIUM, isThere } from './support/browser.ts'
import { type Eyes, openEyes } from './support/eyes.ts'
import { findings, type rules, wrongWay } from './support/eyes-rules.ts'
import { endsOf } from './support/extremes.ts'

const about = { description: 'About it.', unit: 'none' }
const to = { title: 'There', url: '/d/there', targetBlank: false }
const NAME = '0x9857971828271189000000000000000000000000'

const tableOf = (states: States = { 1: ['yes', 'text'], 0: ['NO', 'red'] }): Panel =>
  table({
    text: { title: 'Wallets', description: 'Which there are.' },
    height: 6,
    keys: [{ label: 'address', title: 'Wallet' }],
    rows: 'x',
    columns: [
      { title: 'Balance', expr: 'x', unit: TOKENS },
      { title: 'Enough', expr: 'y', states },
    ],
    sortBy: ['Balance'],
  }).build()
const tileOf = (title: string, marks: Marks = NONE, names?: string[]): Panel =>
  tile({ ...about, title }, { expr: 'x', marks, to, ...(names && { names }) }).build()

const inTable = (panel: Panel): Drawn => ({
  panel,
  width: 1_408,
  height: 220,
  answers: {
    A: ['1e5', NAME].map((address) => ({ labels: { address }, value: -9_999_000 })),
    B: ['1e5', NAME].map((address) => ({ labels: { address }, value: 0 })),
  },
})
const inTile = (panel: Panel, name = '', value = 3): Drawn => ({
  panel,
  width: 178,
  height: 106,
  answers: { A: [{ labels: { name }, value }] },
})

/** The same table with another value of a property of one of its columns; without a value, without the property. */
function changed(title: string, id: string, value?: unknown): Panel {
  const panel = tableOf()
  const { properties } = panel.fieldConfig!.overrides.find(({ matcher }) => matcher.options === title)!
  const others = properties.filter((one) => one.id !== id)
  properties.splice(0, properties.length, ...others, ...(value === undefined ? [] : [{ id, value }]))
  return panel
}

const sound: readonly (readonly [string, Drawn])[] = [
  ['a table', inTable(tableOf())],
  ['a tile', inTile(tileOf('Offline'))],
  ['a tile with a name', inTile(tileOf('Offline', NONE, ['source']), '0x9857971828271…000000')],
  [
    'a timeline',
    {
      ...inTile(
        timeline({ ...about, title: 'States' }, { 0: ['down', 'red'], 1: ['up', 'green'] }, [
          ['{{source}}', 'x'],
        ]).build(),
      ),
      width: 380,
    },
  ],
]

const broken: readonly (readonly [keyof typeof rules, Drawn])[] = [
  ['cuts a text without a sign of it', { ...inTable(changed('Wallet', 'mappings')), width: 380 }],
  ['cuts a title', inTile(tileOf('Too long for a tile'))],
  ['cuts a number', inTable(changed('Balance', 'custom.width', 60))],
  ['has columns out of sight', inTable(changed('Wallet', 'custom.minWidth', 1_300))],
  ['turns a name into something else', inTable(changed('Wallet', 'unit', 'none'))],
  [
    'writes one text over another',
    inTile({ ...tileOf('Offline'), options: { ...(tileOf('Offline').options as object), text: { valueSize: 120 } } }),
  ],
  [
    'names an object in letters that are too small',
    inTile(
      {
        ...tileOf('Offline', NONE, ['source']),
        options: { ...(tileOf('Offline', NONE, ['source']).options as object), text: {} },
      },
      NAME,
    ),
  ],
  ['has a state in a colour of another meaning', inTable(tableOf({ 1: ['yes', 'text'], 0: ['NO', 'green'] }))],
]

describe.skipIf(!isThere)(`eyes${isThere ? '' : `, left out as there is no ${CHROMIUM}`}`, () => {
  let eyes: Eyes

  beforeAll(async () => {
    eyes = await openEyes()
  })
  afterAll(() => eyes.close())

  test.each(sound)('find nothing wrong with %s', async (_, drawn) => {
    const [seen] = await eyes.look([drawn])
    expect(findings(seen!, drawn)).toEqual([])
  })

  test.each(broken)('notice a panel that %s', async (fault, drawn) => {
    const [seen] = await eyes.look([drawn])
    expect(findings(seen!, drawn).join('\n')).toContain(fault)
  })

  test.each<[string, Marks, string[]]>([
    ['Offline', ['green', [1, 'red']], []],
    ['Offline', ['red', [1, 'green']], ['Offline: Offline is worse when it is high, and is coloured otherwise']],
    ['Budget', ['red', [1, 'green']], []],
    ['Budget', ['green', [1, 'red']], ['Budget: Budget is worse when it is low, and is coloured otherwise']],
  ])('notice when %s is coloured from %j on the wrong way', async (title, marks, wrong) => {
    const drawn = inTile(tileOf(title, marks))
    const [least, greatest] = await eyes.look(endsOf(drawn))
    expect(wrongWay(least!, greatest!, drawn)).toEqual(wrong)
  })
})
