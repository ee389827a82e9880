// The help of every option of every command: one default at most, and durations with their unit.

import { readFileSync } from 'node:fs'
import type { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/commands/program.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { quietIo } from '../support/command.ts'

interface Documented {
  name: string
  option: Option
  /** As --help prints it next to the flag. */
  text: string
}

function optionsOf(command: Command, path: string): Documented[] {
  const help = command.createHelp()
  const own = help
    .visibleOptions(command)
    .map((option) => ({ name: `${path} ${option.long}`, option, text: help.optionDescription(option) }))
  return [...own, ...command.commands.flatMap((one) => optionsOf(one, `${path} ${one.name()}`))]
}

const all = optionsOf(await createProgram(quietIo), 'stakewatch')

test('every command is looked at', () => {
  const names = all.map(({ name }) => name)
  for (const name of ['serve --shard', 'top --every', 'check --live', 'query info.peers --nodeIDs']) {
    expect(names).toContain(`stakewatch ${name}`)
  }
})

test('no option names two defaults', () => {
  const twice = all.filter(({ text }) => (text.match(/\bdefault\b/g) ?? []).length > 1)
  expect(twice.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
})

test('a default says something', () => {
  expect(all.filter(({ text }) => text.includes('[]')).map(({ name }) => name)).toEqual([])
})

test('a default duration has a unit', () => {
  const durations = all.filter(({ option }) => option.flags.endsWith('<duration>'))
  expect(durations.map(({ name }) => name)).toContain('stakewatch serve --config.auto-reload-interval')
  const bare = durations.filter(({ text }) => {
    const [, shown = ''] = /\(default: ([^)]*)\)$/.exec(text) ?? []
    return !/[a-z]$/.test(shown) || parseDuration(shown) === undefined
  })
  expect(bare.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
})

test('a default that is a quantity of time or data names it in its text or its flag', () => {
  const bare = all.filter(({ option }) => typeof option.defaultValue === 'number' && !option.defaultValueDescription)
  const unnamed = bare.filter(({ option }) => !/<(number|factor)>$/.test(option.flags))
  expect(unnamed.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
})

test('docs/http.md lists the web flags of serve, and no other', () => {
  const text = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8')
  const [, list = ''] = /^## Flags\n([^]*?)^## /m.exec(text) ?? []
  const listed = Array.from(list.matchAll(/^- `(--[\w.-]+)`/gm), ([, flag]) => flag!)
  const flags = all.flatMap(({ name }) => /^stakewatch serve (--web\..+)/.exec(name)?.[1] ?? [])
  expect(listed.toSorted()).toEqual(flags.toSorted())
})
