import { describe, expect, test } from 'vitest'
import { type BlockCall, listedBlocks } from '../../../src/collectors/answers/listed-blocks.ts'
import { listLatestPrimaryNetworkBlocks } from '../../../src/operations/data/primary-network-blocks.ts'
import { parseAnswer } from '../../../src/operations/define.ts'
import { momentAt } from '../../support/clock.ts'

const NOW = 1_700_000_000
const ASKED = { chain: 'P', network: 'fuji', blockchainId: 'p-chain' } as const

const block = (height: number, time = NOW) => ({
  blockNumber: String(height),
  blockHash: `h-${height}`,
  blockTimestamp: time,
  txCount: 0,
})

async function heightsOf(blocks: readonly object[]): Promise<number[]> {
  const call: BlockCall = async (operation) => {
    const { value, dropped } = parseAnswer<typeof operation>(operation, { blocks })
    return { value, dropped, at: momentAt(0), took: 0, source: 'data_api' }
  }
  return (await listedBlocks(call, ASKED, NOW * 1_000)).map(({ blockNumber }) => Number(blockNumber))
}

describe(`the newest blocks (document 1, ${listLatestPrimaryNetworkBlocks.name})`, () => {
  test.each([
    ['come newest first', [block(7), block(9), block(8)], [9, 8, 7]],
    ['are none', [], []],
    ['leave out one that cannot have been made yet', [block(1e15, NOW + 3_601), block(9, NOW + 3_600)], [9]],
  ])('%s', async (_, blocks, heights) => {
    expect(await heightsOf(blocks)).toEqual(heights)
  })

  test('are refused if all of them are in the future', async () => {
    await expect(heightsOf([block(9, NOW + 3_601)])).rejects.toMatchObject({ reason: 'future' })
  })
})
