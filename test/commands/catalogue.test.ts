// The catalogue: what an entry says, and that the command prints the committed list.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entries } from '../../src/commands/catalogue.ts'
import { ofNetwork, opinionOfChain } from '../../src/metrics/define.ts'
import { runCommand } from '../support/command.ts'

test('an entry says what a metric is, whose it is, and whether it stays: it does not unless its definition says so', () => {
  const ratio = opinionOfChain.gauge('stakewatch_a_ratio', { help: 'A.', labels: ['state'] })
  const seconds = ofNetwork.histogram('stakewatch_b_seconds', { help: 'B.', buckets: [0.5, 1], stability: 'stable' })
  expect(entries([{ name: 'pulse', metrics: [ratio, seconds] }])).toEqual([
    {
      name: 'stakewatch_a_ratio',
      type: 'gauge',
      help: 'A.',
      labels: ['network', 'chain', 'source', 'state'],
      owner: 'pulse',
      stability: 'experimental',
    },
    {
      name: 'stakewatch_b_seconds',
      type: 'histogram',
      help: 'B.',
      labels: ['network'],
      buckets: [0.5, 1],
      owner: 'pulse',
      stability: 'stable',
    },
  ])
})

describe('the command', () => {
  const printed = async (...args: string[]) => {
    const { stdout } = await runCommand(['catalogue', ...args])
    return stdout
  }
  const committed = JSON.parse(readFileSync(new URL('../../catalogue.json', import.meta.url), 'utf8')) as ReturnType<
    typeof entries
  >

  test('prints, as JSON, the list that is committed', async () => {
    expect(JSON.parse(await printed('--output=json'))).toEqual(committed)
  })

  test('prints a table otherwise: a header, and a line for each metric, its columns one below the other', async () => {
    const [header = '', ...lines] = (await printed()).trimEnd().split('\n')
    expect(header).toMatch(/^METRIC +TYPE +OWNER +STABILITY +LABELS +DESCRIPTION$/)
    const columns = ['TYPE', 'OWNER', 'STABILITY', 'LABELS', 'DESCRIPTION'].map((word) => header.indexOf(word))
    const cells = (line: string) =>
      [0, ...columns].map((from, at) => line.slice(from, columns[at] ?? line.length).trimEnd())
    expect(lines.map(cells)).toEqual(
      committed.map(({ name, type, owner, stability, labels, help }) => [
        name,
        type,
        owner,
        stability,
        labels.length === 0 ? '-' : labels.join(','),
        help,
      ]),
    )
  })
})
