// docs/simulator.md: every action and every fault of the control endpoint, and no other.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultType } from '../../src/simulator/control/faults.ts'
import { windowAction } from '../../src/simulator/control/control.ts'
import { nodeActionTypes } from '../../src/simulator/node/node-actions.ts'
import { actionTypes } from '../../src/simulator/world/actions.ts'

const text = readFileSync(new URL('../../docs/simulator.md', import.meta.url), 'utf8')
/** Below the heading. */
const rows = text.slice(text.indexOf('## Actions')).matchAll(/^- `([a-z0-9-]+)`(?: `([^`]*)`)?:/gm)
const documented = Array.from(rows, ([, kind, keys = '']) => `${kind} ${keys}`.trim()).toSorted()

test('lists the keys of every action', () => {
  const known = [...actionTypes, ...nodeActionTypes, windowAction].flatMap(({ shape }) => {
    const { kind, ...others } = shape
    const keys = Object.entries(others).map(([key, type]) => (type.safeParse(undefined).success ? `${key}?` : key))
    const kinds: readonly string[] = 'values' in kind ? [...kind.values] : kind.options
    return kinds.map((one) => [one, ...keys].join(' '))
  })
  const inOrder = (line: string) => {
    const [kind, ...keys] = line.split(' ')
    return [kind, ...keys.toSorted()].join(' ')
  }
  expect(documented.map(inOrder)).toEqual([...known, 'speed factor'].map(inOrder).toSorted())
})

test('names every kind of fault', () => {
  const kinds = faultType.options.flatMap(({ shape }) => [...shape.kind.values])
  expect(kinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([])
})
