import { describe, expect, test } from 'vitest'
import { aboutChain, type Asked, contradicts, refuseOther } from '../../../src/collectors/answers/chain-info.ts'
import { toBaseError } from '../../../src/errors.ts'

const asked: Asked = { chain: 'P', network: 'fuji' }
const FUJI_X = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

function codeOf(refuse: () => void): string {
  try {
    refuse()
    return 'no error'
  } catch (error) {
    return toBaseError(error).code
  }
}

describe('chain info of answers (document 1, ChainInfo)', () => {
  test.each([
    ['what was asked for', { chainName: 'p-chain', network: 'fuji' }, false],
    ['the other name of the test network', { chainName: 'p-chain', network: 'testnet' }, false],
    ['letters of another size', { chainName: 'P-Chain', network: 'Fuji' }, false],
    ['the letter of the chain', { chainName: 'P' }, false],
    ['the identifier of the chain', { chainName: '11111111111111111111111111111111LpoYY' }, false],
    ['the network alone', { network: 'fuji' }, false],
    ['another chain', { chainName: 'x-chain', network: 'fuji' }, true],
    ['another chain by its identifier', { chainName: FUJI_X, network: 'fuji' }, true],
    ['another network', { chainName: 'p-chain', network: 'mainnet' }, true],
    ['another network alone', { network: 'mainnet' }, true],
    ['another network, the chain in words of its own', { chainName: 'Platform', network: 'mainnet' }, true],
    ['unknown words', { chainName: 'Platform', network: 'devnet' }, undefined],
    ['words that every object answers to', { chainName: 'constructor', network: 'toString' }, undefined],
    ['nothing', {}, undefined],
    ['no chain info at all', undefined, undefined],
  ])('%s', (_, stated, expected) => {
    expect(contradicts(stated, asked)).toBe(expected)
    expect(codeOf(() => refuseOther(stated, asked))).toBe(expected ? 'bad_response' : 'no error')
  })

  test('passes answers up to the first about another chain', async () => {
    const infos = [undefined, { chainName: 'p-chain' }, {}, { chainName: 'c-chain' }, { chainName: 'p-chain' }]
    async function* pages() {
      for (const [page, chainInfo] of infos.entries()) yield { value: { chainInfo, page } }
    }
    const { only, isOther } = aboutChain(asked)
    const seen = []
    for await (const { value } of only(pages())) seen.push([value.page, isOther()])
    expect(seen).toEqual([
      [0, undefined],
      [1, false],
      [2, false],
    ])
    expect(isOther()).toBe(true)
  })
})
