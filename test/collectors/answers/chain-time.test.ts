import { describe, expect, test } from 'vitest'
import { type asksChainTime, nodeChainTime } from '../../../src/collectors/answers/chain-time.ts'
import type { Ask } from '../../../src/collectors/define.ts'
import type { BaseError } from '../../../src/errors.ts'
import { parseAnswer } from '../../../src/operations/define.ts'
import { momentAt } from '../../support/clock.ts'

type Call = Ask<(typeof asksChainTime)[number]>['call']

/** A node that gives these answers, by the last word of the method; what it was asked for goes into `asked`. */
function node(answers: Readonly<Record<string, unknown>>, asked: unknown[] = []): Call {
  return async (operation, params) => {
    const method = operation.name.replace('platform.', '')
    asked.push([method, params])
    const { value, dropped } = parseAnswer(operation, answers[method])
    return { value, dropped, at: momentAt(0), took: 0, source: 'node-a' }
  }
}

// AvalancheGo 1.14.2: the supply at height 24, and the block of that height, which commits a reward.
const getCurrentSupply = { supply: '361196335884962404', height: '24' }
const block24 = {
  time: 1795304304,
  parentID: '2V3Ge9YkVUTSdhjYtYN5wscf3vqxsJ5yKbupP1KgGRQ6ABkJZm',
  height: 24,
  id: '8mVijHoVGWt15Z1to2eNLnLjRRySeH5fDCCK6Knfv4ZyHSmps',
}
/** Two seconds after that block; clocks may differ by an hour. */
const NOW = 1_795_304_306_000
const genesis = {
  parentID: 'u1NtdJoguoeGEz5ZHqAECaCPvfnqijuwfBdjpomnGge4Je8Lq',
  height: 0,
  id: '2kdALCW3F7vR7MkpYLC4m7yhyByiSTT3g5AzYcZGWhiRnq7YYr',
}

describe('chain time of a node (document 2, platform.getCurrentSupply and platform.getBlockByHeight)', () => {
  test('is that of the block at the height of its supply', async () => {
    const asked: unknown[] = []
    const call = node({ getCurrentSupply, getBlockByHeight: { block: block24, encoding: 'json' } }, asked)
    const expected = { height: '24', time: 1795304304, source: 'node-a' }
    expect(await nodeChainTime(call, undefined, NOW)).toEqual(expected)
    expect(await nodeChainTime(call, { height: '23', time: 1 }, NOW)).toEqual(expected)
    const both = [
      ['getCurrentSupply', {}],
      ['getBlockByHeight', { height: 24n, encoding: 'json' }],
    ]
    expect(asked).toEqual([...both, ...both])
  })

  test('is remembered while the height is unchanged', async () => {
    const asked: unknown[] = []
    const before = { height: '24', time: 1795304304 }
    expect(await nodeChainTime(node({ getCurrentSupply }, asked), before, NOW)).toEqual({ ...before, source: 'node-a' })
    expect(asked).toEqual([['getCurrentSupply', {}]])
  })

  test.each<[string, unknown, unknown, BaseError['code']]>([
    ['the supply of the document has no height', { supply: '1' }, undefined, 'unsupported'],
    ['the block is bytes', getCurrentSupply, { block: '0x00', encoding: 'hex' }, 'unsupported'],
    ['the first block has no time', { supply: '1', height: '0' }, { block: genesis, encoding: 'json' }, 'unsupported'],
    ['the block lies ahead', getCurrentSupply, { block: { ...block24, time: 1795307907 } }, 'implausible_response'],
    ['the block is another one', { supply: '1', height: '25' }, { block: block24, encoding: 'json' }, 'bad_response'],
  ])('is not known where %s', async (_, supply, block, code) => {
    const call = node({ getCurrentSupply: supply, getBlockByHeight: block })
    await expect(nodeChainTime(call, undefined, NOW)).rejects.toMatchObject({ code })
  })
})
