import { describe, expect, test } from 'vitest'
import { lookUp } from '../../../src/collectors/answers/blockchain-list.ts'

const OLD = { id: 'old', name: 'old', subnetID: 's', vmID: 'vm' }
const NEW = { ...OLD, id: 'new', name: 'new' }

/** A node that has both chains; what it said before the second one was created is kept, as the client keeps it. */
async function lookedUp(id: string, younger = [OLD, NEW]) {
  const asked: (string | undefined)[] = []
  const { record } = await lookUp(async (_operation, _params, how) => {
    asked.push(how?.maxAge)
    const blockchains = how?.maxAge === '1h' ? [OLD] : younger
    return { value: { blockchains }, dropped: 0, at: { wall: 0, steady: 0 }, source: 'node-a' } as never
  }, id)
  return { record, asked }
}

describe('a chain in the list of blockchains (document 2, platform.getBlockchains)', () => {
  test.each([
    ['that an old list has: the old list will do', 'old', OLD, ['1h']],
    ['that is younger than the list: a younger list has it', 'new', NEW, ['1h', '1m']],
    ['that is in no list: a younger list says so', 'none', undefined, ['1h', '1m']],
  ])('%s', async (_, id, record, asked) => {
    expect(await lookedUp(id)).toEqual({ record, asked })
  })
})
