// The plan of a chaos run follows from the seed alone.

import { expect, test } from 'vitest'
import { faults } from '../../tools/chaos/faults/index.ts'
import { planEvents, planSpells, type Spell } from '../../tools/chaos/plan.ts'

const HOUR = 3_600_000

function spellsOf(seed: number, upstream: string): Spell[] {
  const plan = planSpells(seed, upstream, faults)
  const spells: Spell[] = []
  for (let time = 0; time < 30 * HOUR; time += 5_000) {
    const spell = plan.at(time)
    if (spell && spell.number !== spells.at(-1)?.number) spells.push(spell)
  }
  return spells
}

test('the same seed gives the same spells, another seed or upstream others', () => {
  const names = (seed: number, upstream: string) => spellsOf(seed, upstream).map(({ fault }) => fault.name)
  expect(names(1, 'ash/node-a')).toEqual(names(1, 'ash/node-a'))
  expect(names(1, 'ash/node-a')).not.toEqual(names(2, 'ash/node-a'))
  expect(names(1, 'ash/node-a')).not.toEqual(names(1, 'ash/node-b'))
})

test('every kind has its turn, and some outages last longer than anything published may live', () => {
  const spells = spellsOf(1, 'ash/node-a')
  expect(new Set(spells.map(({ fault }) => fault.name)).size).toBeGreaterThan(0.9 * faults.length)
  expect(spells.some(({ chance, from, until }) => chance === 1 && until - from > 300_000)).toBe(true)
})

test('between two spells there is calm', () => {
  const spells = spellsOf(1, 'ash/node-a')
  const gaps = spells.slice(1).map(({ from }, at) => from - spells[at]!.until)
  expect(Math.min(...gaps)).toBeGreaterThan(0)
})

test('the same seed gives the same kills, stops, sleeps and jumps of the clock', () => {
  const events = planEvents(1, 10 * HOUR)
  expect(planEvents(1, 10 * HOUR)).toEqual(events)
  expect(planEvents(2, 10 * HOUR)).not.toEqual(events)
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['kill', 'stop', 'suspend', 'jump']))
  expect(events.some((event) => event.kind === 'jump' && event.by < 0)).toBe(true)
})
