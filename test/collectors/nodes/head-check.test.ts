import { describe, expect, test } from 'vitest'
import { headCheck } from '../../../src/collectors/nodes/head-check.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2", index: true }]
    data_api: { url: "http://127.0.0.1:3" }
    chains: [{ id: p-chain }]
`
const START = 1_700_000_000_000
const onC = yaml.replace('p-chain', 'c-chain').replace(/\{ name: node-a[^}]*\}, /, '')

const missing = (what: string) => new BaseError('not_found', 'not there', { details: `${what}: not found` })
const unreadable = new BaseError('rpc_error', 'error -32000', { details: "couldn't unmarshal an argument" })
const late = new BaseError('timeout', 'late')

interface Node {
  head: number
  /** From this height on it has blocks of its own. */
  forked?: number
  form?: 'document' | 'live' | 'bytes'
}

const hash = (height: number, { forked = Infinity }: Partial<Node> = {}) =>
  `${height < forked ? 'hash' : 'own'}-${height}`
const blockOf = (height: number, node: Node) => {
  const { form = 'document' } = node
  if (form === 'bytes') return { block: '0x00', encoding: 'hex' }
  const content = { parentID: hash(height - 1, node), height, txs: [] }
  return {
    block: form === 'live' ? { ...content, id: hash(height, node), time: 1_700_000_000 } : content,
    encoding: 'json',
  }
}

/** Blocks as the data service lists them. */
const list = (high: number, low: number = Math.max(0, high - 49), more: object = {}) => ({
  blocks: Array.from({ length: high - low + 1 }, (_, at) => ({
    blockNumber: String(high - at),
    blockHash: hash(high - at),
    blockTimestamp: 1_700_000_000,
    txCount: 0,
    ...more,
  })),
  chainInfo: { chainName: 'p-chain', network: 'fuji' },
})

/** Both nodes answer alike by default. */
function network(listed: unknown, { a, b = a }: { a: Node; b?: Node }) {
  const asked: string[] = []
  const answers: Upstream = (operation, { body }, source) => {
    if (operation === 'list-latest-primary-network-blocks') return listed
    const node = source === 'node-a' ? a : b
    const { height, blockID } = body as { height?: number; blockID?: string }
    if (source === 'node-a') asked.push(height === undefined ? blockID! : String(height))
    if (height !== undefined) {
      return height <= node.head ? blockOf(height, node) : missing(`couldn't get block at height ${height}`)
    }
    // No node can read the hash of an EVM block.
    expect(blockID).not.toMatch(/^0x/)
    if (!/^(hash|own)-/.test(blockID!)) return unreadable
    const found = Number(blockID!.split('-')[1])
    return found <= node.head && blockID === hash(found, node)
      ? blockOf(found, node)
      : missing(`couldn't get block with id ${blockID}`)
  }
  return { answers, asked }
}

const published = (poller: Poller, source = 'node-a') =>
  ['head_height', 'behind_blocks', 'on_canonical_chain'].map((name) =>
    poller.value(`stakewatch_node_${name}`, { source }),
  )
const failures = (poller: Poller) =>
  poller.series('stakewatch_collector_success').flatMap(({ labels, value }) => (value === 0 ? labels['source'] : []))

describe('head-check on the P-Chain (document 2, P-Chain interface; document 1, operation 14)', () => {
  test('publishes head, distance and fork state of each node', async () => {
    const poller = createPoller(yaml, headCheck, START)
    const paths: unknown[] = []
    const { answers } = network(list(1_000), { a: { head: 1_002 }, b: { head: 990 } })
    await poller.poll((operation, wire, source) => {
      if (source === 'data-api') paths.push([wire.path, wire.query])
      return answers(operation, wire, source)
    })
    expect(poller.lines(/^stakewatch_node/)).toEqual([
      'stakewatch_node_head_height{network="fuji",chain="p-chain",source="node-a"} 1002',
      'stakewatch_node_head_height{network="fuji",chain="p-chain",source="node-b"} 990',
      // By the document a block has no time: it was first seen now.
      ...['timestamp', 'read_timestamp'].flatMap((name) =>
        ['a', 'b'].map(
          (node) =>
            `stakewatch_node_head_${name}_seconds{network="fuji",chain="p-chain",source="node-${node}"} 1700000000`,
        ),
      ),
      'stakewatch_node_behind_blocks{network="fuji",chain="p-chain",source="node-a"} 0',
      'stakewatch_node_behind_blocks{network="fuji",chain="p-chain",source="node-b"} 10',
      'stakewatch_node_on_canonical_chain{network="fuji",chain="p-chain",source="node-a"} 1',
    ])
    // What primary-blocks asks for as well.
    const question = ['/v1/networks/fuji/blockchains/p-chain/blocks', { pageSize: '50' }]
    expect(paths).toEqual([question, question])
  })

  // The service's newest block is 1,000: block 998 is compared.
  test.each<[string, Node, (number | undefined)[], string[]]>([
    ['as far as the service', { head: 1_000 }, [1_000, 0, 1], ['1000', '1001', '999']],
    ['one block behind', { head: 999 }, [999, 1, 1], ['1000', '999']],
    [
      'at the compared block, which names itself',
      { head: 998, form: 'live' },
      [998, 2, 1],
      ['1000', '999', '997', '998'],
    ],
    ['at it, without a name', { head: 998 }, [998, 2, undefined], ['1000', '999', '997', '998']],
    // 1,000, 999, 997, 993, 985, 969; 970, 972, 976; 974, 975.
    [
      'behind it: not forked',
      { head: 974 },
      [974, 26, undefined],
      ['1000', '999', '997', '993', '985', '969', '970', '972', '976', '974', '975'],
    ],
    // Only the block itself could be another one at its height: the node says that it lacks the listed one.
    ['on another chain', { head: 1_000, forked: 900 }, [1_000, 0, 0], ['1000', '1001', '999', 'hash-998']],
    [
      'on another chain, live',
      { head: 998, forked: 900, form: 'live' },
      [998, 2, 0],
      ['1000', '999', '997', '998', 'hash-998'],
    ],
    ['on another chain since the compared block', { head: 1_000, forked: 999 }, [1_000, 0, 1], ['1000', '1001', '999']],
    ['a chain of bytes', { head: 1_000, form: 'bytes' }, [1_000, 0, undefined], ['1000', '1001', '999']],
  ])('a node that is %s', async (_, node, expected, questions) => {
    const poller = createPoller(yaml, headCheck, START)
    const { answers, asked } = network(list(1_000), { a: node })
    await poller.poll(answers)
    expect(published(poller)).toEqual(expected)
    expect(asked).toEqual(questions)
    expect(failures(poller)).toEqual([])
  })

  test.each<[string, unknown, (number | undefined)[], string[]]>([
    ['calls blocks by other names', list(1_000, 901, { blockHash: '0x5c' }), [1_000, 0, undefined], []],
    ['calls them by what no node can read', list(1_000, 901, { blockHash: '?' }), [1_000, 0, undefined], []],
    ['leaves the compared block out', { blocks: list(1_000).blocks.toSpliced(2, 1) }, [1_000, 0, undefined], []],
    ['lists a height that no chain can have', list(2 ** 60, 2 ** 60), [1_000, undefined, undefined], []],
    ['has two blocks', list(1, 0), [1_000, 0, undefined], []],
    ['lists nothing', { blocks: [] }, [1_000, undefined, undefined], ['node-a', 'node-b']],
    [
      'lists another chain',
      { ...list(1_000), chainInfo: { chainName: 'x-chain', network: 'fuji' } },
      [1_000, undefined, undefined],
      ['node-a', 'node-b'],
    ],
    ['fails', late, [1_000, undefined, undefined], ['node-a', 'node-b']],
    ['does not have the network', new BaseError('unsupported', 'HTTP 404'), [1_000, undefined, undefined], []],
  ])('a service that %s', async (_, listed, expected, failed) => {
    const poller = createPoller(yaml, headCheck, START)
    await poller.poll(network(listed, { a: { head: 1_000 } }).answers)
    expect(published(poller)).toEqual(expected)
    expect(failures(poller)).toEqual(failed)
  })

  test('finds the head with few requests, however many blocks came and whichever side is ahead', async () => {
    const poller = createPoller(yaml, headCheck, START)
    const asked: string[][] = []
    for (const [at, [listed, head]] of [
      [1_000, 1_001],
      [1_010, 1_012],
      [1_020, 1_013],
      [900_000, 1_016],
    ].entries()) {
      poller.clock.now = START + at * 60_000
      const { answers, asked: questions } = network(list(listed!), { a: { head: head! } })
      await poller.poll(answers)
      expect(published(poller)[0]).toBe(head)
      asked.push(questions)
    }
    expect(asked).toEqual([
      ['1000', '1001', '1003', '1002', '999'],
      ['1010', '1011', '1013', '1012', '1009'],
      // The service is ahead: from the height that was known on.
      ['1020', '1012', '1013', '1015', '1014'],
      ['900000', '1013', '1014', '1016', '1020', '1018', '1017'],
    ])
  })

  test.each([
    ['has a block at every height', { block: '0x00' }],
    ['has no block at all', missing("couldn't get block")],
  ])('rejects a node that %s', async (_, answer) => {
    const poller = createPoller(yaml, headCheck, START)
    await poller.poll((_, __, source) => (source === 'data-api' ? list(1_000) : answer))
    expect(poller.lines(/^stakewatch_node/)).toEqual([])
    expect(poller.log).toMatchObject([{ code: 'bad_response' }, { code: 'bad_response' }])
  })
})

describe('head-check by an index (document 2, Index interface)', () => {
  /** Its first container is block 41; on live nodes containers have the ids of the proposals. */
  interface Indexed {
    last: number
    name?: 'hash' | 'proposal'
    forked?: number
  }
  const FIRST = 41
  const proposed = (height: number) => ({ proposerDetails: { proposerId: `proposal-${height}` } })
  const live = (high: number) => {
    const { blocks } = list(high)
    const named = blocks.map((block, at) => ({ ...block, blockHash: `0x${at}`, ...proposed(high - at) }))
    return { blocks: named, chainInfo: { chainName: 'c-chain', network: 'fuji' } }
  }
  const document = (high: number) => ({ ...list(high), chainInfo: {} })

  function indexed(listed: unknown, { last, name = 'hash', forked = Infinity }: Indexed) {
    const asked: string[] = []
    const answers: Upstream = (operation, { path, body }, source) => {
      if (source === 'data-api') return listed
      if (operation === 'eth_getBlockByNumber') return new BaseError('unsupported', 'the node does not serve it')
      expect([source, path]).toEqual(['node-b', '/ext/index/C/block'])
      const { id } = body as { id?: string }
      asked.push(id === undefined ? operation : `${operation} ${id}`)
      const container = (height: number) => ({
        id: `${name}-${height}`,
        timestamp: '2026-08-22T15:00:00Z',
        index: String(height - FIRST),
      })
      if (operation === 'index.getLastAccepted') {
        const details = 'no containers have been accepted'
        return last < FIRST ? new BaseError('not_found', 'not there', { details }) : container(last)
      }
      expect(id).not.toMatch(/^0x/)
      if (!/^(hash|proposal)-/.test(id!)) return unreadable
      const height = Number(id!.split('-')[1])
      const isThere = id === `${name}-${height}` && height >= FIRST && height <= last && height < forked
      if (operation === 'index.isAccepted') return { isAccepted: isThere }
      if (!isThere) return missing('id')
      return operation === 'index.getIndex' ? { index: String(height - FIRST) } : container(height)
    }
    return { answers, asked }
  }

  type Runs = [listed: unknown, index: Indexed][]
  async function polls(runs: Runs) {
    const poller = createPoller(onC, headCheck, START)
    const seen: unknown[] = []
    const asked: string[][] = []
    for (const [at, [listed, index]] of runs.entries()) {
      poller.clock.now = START + at * 60_000
      const { answers, asked: questions } = indexed(listed, index)
      await poller.poll(answers)
      seen.push(published(poller, 'node-b'))
      asked.push(questions)
    }
    return { seen, asked, failed: failures(poller), poller }
  }

  test('asks only nodes with an index, in two requests', async () => {
    const { seen, asked, poller } = await polls([[document(1_000), { last: 1_003 }]])
    expect(seen).toEqual([[1_003, 0, 1]])
    expect(asked).toEqual([['index.getLastAccepted', 'index.getIndex hash-998']])
    expect(poller.tasks.map(({ key }) => key)).toEqual(['head-check/fuji/c-chain/node-b'])
    expect(poller.lines(/head_height/)).toEqual([
      'stakewatch_node_head_height{network="fuji",chain="c-chain",source="node-b"} 1003',
    ])
  })

  /** What is listed, by how it is written below. */
  const listings: Readonly<Record<string, (high: number) => unknown>> = {
    document,
    live,
    nothing: () => ({ blocks: [] }),
    unreadable: (high) => ({ ...list(high, high - 49, { blockHash: '?' }), chainInfo: {} }),
    proposerless: (high) => ({ blocks: live(high).blocks.map(({ proposerDetails: _, ...block }) => block) }),
  }
  /** `live1000:999@980`: that many blocks are listed, the index ends at the second number, and has blocks of its own from there on. */
  function runsOf(text: string): Runs {
    return text.split(' ').map((run) => {
      const [, form, high, last, forked] = /^([a-z]+)(\d*):(\d+)(?:@(\d+))?$/.exec(run)!
      const name = form === 'live' || form === 'proposerless' ? 'proposal' : 'hash'
      return [listings[form!]!(Number(high)), { last: Number(last), name, ...(forked && { forked: Number(forked) }) }]
    })
  }
  const unknown = [undefined, undefined, undefined]
  const written = (values: unknown) => (values as number[]).map((value) => value ?? '-').join('/')

  /** Head, distance and whether it is on the canonical chain, after each run. */
  test.each(
    rowsOf(`
      live: containers are proposals                   | live1000:999                       | 999/1/1
      behind the compared block                        | document1000:988                   | 988/12/-
      far behind                                       | document1000:955                   | 955/45/-
      further behind than the list reaches             | document1000:950                   | -/-/-
      further behind than it reaches by now            | live1000:1000 live1500:1010        | 1000/0/1 1010/490/-
      on another chain, from the first run on          | document1000:1000@980              | 1000/0/0
      on another chain                                 | live1000:1000 live1010:1009@1005   | 1000/0/1 1009/1/0
      unknown, as the list has lost its proposal       | live1000:1000 proposerless1010:1010 | 1000/0/1 1010/0/-
      unknown, as no node can read the list's names    | unreadable1000:1000                | -/-/-
      empty                                            | document1000:0                     | -/-/-
      empty for once, after it was not                 | document1000:1000 document1001:0 document1002:1001 | 1000/0/1 1000/0/1 1001/1/1
      against no blocks                                | nothing:1000                       | -/-/-
    `),
  )('an index that is %s', async (_, runs, expected) => {
    const { seen } = await polls(runsOf(runs))
    expect(seen.map(written).join(' ')).toBe(expected)
  })

  // Refused at minutes 1 to 5, when what was known expires. What fills again may have other places: 9 blocks before the
  // first of the list it is unknown which.
  test('an index that is empty until it is believed fills again', async () => {
    const { seen } = await polls(
      runsOf(`document1000:1000 ${'document1000:0 '.repeat(6)}document1000:942 document1000:999`),
    )
    expect(seen).toEqual([...Array.from({ length: 5 }, () => [1_000, 0, 1]), unknown, unknown, unknown, [999, 1, 1]])
  })

  test.each<[string, string, BaseError]>([
    ['fails to find a place', 'index.getIndex', new BaseError('rpc_error', 'error', { details: 'database closed' })],
    ['fails to say whether it has a block', 'index.isAccepted', late],
  ])('a node that %s fails the run and keeps the values', async (_, failing, error) => {
    const poller = createPoller(onC, headCheck, START)
    await poller.poll(indexed(document(1_000), { last: 1_000 }).answers)
    poller.clock.now = START + 60_000
    const { answers } = indexed(document(1_010), { last: 1_010, forked: 1_005 })
    await poller.poll((operation, wire, source) => (operation === failing ? error : answers(operation, wire, source)))
    expect([published(poller, 'node-b'), failures(poller)]).toEqual([[1_000, 0, 1], ['node-b']])
  })

  test.each<[string, unknown, string, object]>([
    [
      'has none',
      new BaseError('unsupported', 'the node does not serve it'),
      'unsupported',
      [{ level: 'info', reason: expect.stringMatching(/^the node serves no index: start it with --index-enabled/) }],
    ],
    ['is still starting', { id: 'c5', timestamp: '2026-08-22T15:00:00Z', index: '5' }, 'failure', []],
  ])('a node that does not serve the index because it %s', async (_, onP, result, log) => {
    const poller = createPoller(onC, headCheck, START)
    const absent = new BaseError('unsupported', 'the node does not serve it')
    await poller.poll((__, { path }, source) =>
      source === 'data-api' ? document(1_000) : path === '/ext/index/P/block' ? onP : absent,
    )
    expect(poller.lines(/^stakewatch_node/)).toEqual([])
    expect(poller.status()).toMatchObject([{ result }])
    expect(poller.log).toMatchObject(log)
  })

  test('publishes the head while the service fails, and keeps the comparison', async () => {
    const { seen, failed } = await polls([
      [document(1_000), { last: 1_000 }],
      [late, { last: 1_009 }],
    ])
    expect(seen[1]).toEqual([1_009, 0, 1])
    expect(failed).toEqual(['node-b'])
  })

  test("asks nodes without an index through the chain's own interface", () => {
    const both = yaml.replace('p-chain', 'c-chain')
    expect(createPoller(both, headCheck, START).tasks.map(({ key }) => key)).toEqual([
      'head-check/fuji/c-chain/node-b',
      'head-check/fuji/c-chain/node-a',
    ])
  })
})

describe("heads by nodes alone (the chains' own interfaces on a node)", () => {
  const alone = yaml
    .replace(/ +data_api.*\n/, '')
    .replace('[{ id: p-chain }]', '[{ id: p-chain }, { id: x-chain }, { id: c-chain }]')
    .replace(/, \{ name: node-b[^}]*\}/, '')
  const evmBlock = { number: '0x64', hash: '0x1', timestamp: '0x6553f0f6', gasLimit: '0x1', gasUsed: '0x0' }

  /** Heights that the node has on the P- and the X-Chain; the newest block of the C-Chain never changes. */
  const having =
    (p: number, x: number): Upstream =>
    (operation, wire) => {
      if (operation === 'avm.getHeight') return { height: String(x) }
      if (operation === 'eth_getBlockByNumber') return evmBlock
      return network(undefined, { a: { head: p, form: 'live' } }).answers(operation, wire, 'node-a')
    }

  const of = ({ series }: Poller, name: string) =>
    Object.fromEntries(series(`stakewatch_node_head_${name}`).map(({ labels, value }) => [labels['chain']![0], value]))

  test('publishes height, time of the newest block or of its first sight, and time of reading', async () => {
    const poller = createPoller(alone, headCheck, START)
    await poller.poll(having(7, 42))
    expect(of(poller, 'height')).toEqual({ p: 7, x: 42, c: 100 })
    // 0x6553f0f6 is 1,700,000,000 - 10; the X-Chain does not tell a time.
    expect(of(poller, 'timestamp_seconds')).toEqual({ p: 1_700_000_000, x: 1_700_000_000, c: 1_699_999_990 })
    poller.clock.now = START + 60_000
    await poller.poll(having(7, 42))
    poller.clock.now = START + 120_000
    await poller.poll(having(7, 43))
    expect(of(poller, 'timestamp_seconds')).toMatchObject({ x: 1_700_000_120 })
    poller.clock.now = START + 180_000
    await poller.poll(having(7, 43))
    expect(of(poller, 'timestamp_seconds')).toMatchObject({ p: 1_700_000_000, x: 1_700_000_120 })
    expect(of(poller, 'read_timestamp_seconds')).toEqual({ p: 1_700_000_180, x: 1_700_000_180, c: 1_700_000_180 })
    expect(failures(poller)).toEqual([])
  })
})
