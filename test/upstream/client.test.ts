import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { aggregateSignatures } from '../../src/operations/data/signatures.ts'
import { listIcmMessages } from '../../src/operations/data/messages.ts'
import { listLatestPrimaryNetworkBlocks } from '../../src/operations/data/primary-network-blocks.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { secret } from '../../src/lib/secret.ts'
import {
  answer,
  type Behaviour,
  closedPort,
  createHostileServer,
  envelope,
  inTurn,
  silence,
} from '../support/hostile-server.ts'
import { createAsking, dataAt, failure, nodeAt } from './asking.ts'
import { momentAt } from '../support/clock.ts'

const supply = envelope({ result: { supply: '720' } })

describe('equal questions', () => {
  const list = { network: 'fuji', blockchainId: 'p-chain' } as const

  test('asked at the same time are one request: neither order nor defaults nor absent parameters differ', async () => {
    const server = await createHostileServer(answer(200, { blocks: [] }))
    const { client, reports, signal } = createAsking()
    const source = dataAt(server.url)
    const forms = [
      { ...list, pageSize: 10 },
      { pageSize: '10', blockchainId: 'p-chain', network: 'fuji' } as const,
      { ...list, pageToken: undefined },
    ]
    const answers = await Promise.all(
      forms.map((params) => client.call(source, listLatestPrimaryNetworkBlocks, params, { signal })),
    )
    expect(server.received.map(({ url }) => url)).toEqual(['/v1/networks/fuji/blockchains/p-chain/blocks?pageSize=10'])
    expect(reports).toHaveLength(1)
    expect(new Set(answers.map(({ at }) => at)).size).toBe(1)
  })

  test.each([
    ['another parameter', dataAt, { ...list, pageSize: 11 }],
    ['another source', (url: string) => ({ ...dataAt(url), name: 'data-b' }), list],
    ['another address', (url: string) => dataAt(`${url}?key=b`), list],
  ])('are not: %s', async (_, sourceAt, params) => {
    const server = await createHostileServer(answer(200, { blocks: [] }))
    const { client, signal } = createAsking()
    await Promise.all([
      client.call(dataAt(server.url), listLatestPrimaryNetworkBlocks, list, { signal }),
      client.call(sourceAt(server.url), listLatestPrimaryNetworkBlocks, params, { signal }),
    ])
    expect(server.received).toHaveLength(2)
  })

  test('asked later share an answer of the age they accept, which keeps its time', async () => {
    const server = await createHostileServer(supply)
    let now = 1_000
    const { client, signal } = createAsking({ now: () => now })
    const ask = (maxAge?: number) =>
      client.call(nodeAt(server.url), getCurrentSupply, {}, maxAge === undefined ? { signal } : { signal, maxAge })
    const times = [(await ask(500)).at.wall]
    now = 1_500
    times.push((await ask(500)).at.wall)
    now = 1_501
    times.push((await ask(500)).at.wall, (await ask(501)).at.wall)
    now = 1_502
    times.push((await ask()).at.wall)
    expect(times).toEqual([1_000, 1_000, 1_501, 1_501, 1_502])
    expect(server.received).toHaveLength(3)
  })
})

describe('an asker', () => {
  test('whose time is over stops waiting; another one who asked the same gets the answer', async () => {
    let release = () => {}
    const patient = new Promise<void>((resolve) => (release = resolve))
    const server = await createHostileServer(async (...all) => {
      await patient
      supply(...all)
    })
    const { client, signal, reports } = createAsking()
    const hurried = new AbortController()
    const reason = new BaseError('aborted', 'stakewatch is stopping')
    const first = failure(client.call(nodeAt(server.url), getCurrentSupply, {}, { signal: hurried.signal }))
    const second = client.call(nodeAt(server.url), getCurrentSupply, {}, { signal })
    hurried.abort(reason)
    expect(await first).toBe(reason)
    release()
    expect((await second).value.supply).toBe(720n)
    expect(reports.map(({ code }) => code)).toEqual(['ok'])
  })

  test.each([
    ['timeout', () => AbortSignal.timeout(20)],
    ['aborted', () => AbortSignal.abort()],
  ])('gets an error of ours, whatever ended its wait: %s', async (code, signalOf) => {
    const server = await createHostileServer(silence)
    const { client } = createAsking()
    expect((await failure(client.call(nodeAt(server.url), getCurrentSupply, {}, { signal: signalOf() }))).code).toBe(
      code,
    )
  })

  test('has more time for an action than for a question', async () => {
    let release = () => {}
    const signatures = new Promise<void>((resolve) => (release = resolve))
    const server = await createHostileServer(async (response, request, number) => {
      if (request.method === 'GET') return
      await signatures
      answer(201, { signedMessage: '0xab' })(response, request, number)
    })
    const { client, signal } = createAsking({ timeout: 20 })
    const signed = client.call(dataAt(server.url), aggregateSignatures, { network: 'fuji', message: '00' }, { signal })
    const asked = client.call(dataAt(server.url), listIcmMessages, {}, { signal })
    // When the time for a question is over, that for the action has been going on for longer.
    expect((await failure(asked)).code).toBe('timeout')
    release()
    expect((await signed).value.signedMessage).toBe('0xab')
  })

  test('a caller that is too late sends no request', async () => {
    const server = await createHostileServer(supply)
    const { client, signal } = createAsking()
    const late = { signal: AbortSignal.abort(new BaseError('timeout', 'late')) }
    await failure(client.call(nodeAt(server.url), getCurrentSupply, { subnetID: 'late' }, late))
    // P-Chain calls go in order: that of the late one would have come first.
    await client.call(nodeAt(server.url), getCurrentSupply, { subnetID: 'timely' }, { signal })
    expect(server.received.map(({ body }) => body)).toEqual([expect.stringContaining('timely')])
  })

  test.each([
    ['a value of another type', { subnetID: 5 }, /^subnetID: /],
    ['a misspelt name', { subnetId: 'abc' }, /^the whole: unknown parameter subnetId; known: subnetID$/],
  ])('with wrong parameters is a defect of ours and sends no request: %s', async (_, params, details) => {
    const { client, reports, signal } = createAsking()
    const wrong = params as object
    const error = await failure(client.call(nodeAt('http://127.0.0.1:1'), getCurrentSupply, wrong, { signal }))
    expect(error).toMatchObject({ code: 'bug', message: 'wrong parameters for platform.getCurrentSupply' })
    expect(error.details).toMatch(details)
    expect(reports).toEqual([])
  })
})

describe('a report', () => {
  test('of each request: what was asked, how it ended, how long it took, what was left out', async () => {
    const good = { nodeID: 'NodeID-A', weight: '1' }
    const partly = { nodeID: 'NodeID-B', signer: 'none' }
    const bad = { nodeID: 'NodeID-C', weight: '-1' }
    let now = 10_000
    const after =
      (milliseconds: number, behave: Behaviour): Behaviour =>
      (...all) => {
        now += milliseconds
        return behave(...all)
      }
    // The clock of the server stands at 11 s; on average its date is half a second old.
    const dated = { date: 'Thu, 01 Jan 1970 00:00:11 GMT' }
    const server = await createHostileServer(
      inTurn(
        after(2_500, envelope({ result: { validators: [good, partly, bad] } }, dated)),
        after(500, answer(403, 'no', dated)),
        after(250, envelope({ result: {} }, dated)),
      ),
    )
    const { client, reports, signal } = createAsking({ now: () => now })
    const source = nodeAt(server.url)
    const ask = () => client.call(source, getCurrentValidators, {}, { signal })
    expect(await ask()).toMatchObject({
      // An answer is at least as old as its request: the machine may have slept between the two.
      at: momentAt(10_000),
      took: 2_500,
      dropped: 1,
      value: { validators: [{ nodeID: 'NodeID-A', weight: 1n }, { nodeID: 'NodeID-B' }] },
    })
    await failure(ask())
    await failure(ask())
    const common = {
      source,
      operation: 'platform.getCurrentValidators',
      path: '/ext/bc/P',
      limited: 0,
      unknownFields: [],
    }
    const nothing = { ...common, dropped: 0, fieldsDropped: 0 }
    expect(reports).toEqual([
      // Our clock in the middle of each request, less 11.5 s: 11.25 s here, 12.75 s and 13.125 s below.
      { ...common, code: 'ok', sent: ['ok'], reason: '', seconds: 2.5, dropped: 1, fieldsDropped: 1, clockAhead: -250 },
      {
        ...nothing,
        code: 'http_status',
        sent: ['http_status'],
        reason: 'HTTP 403',
        details: 'no',
        seconds: 0.5,
        clockAhead: 1_250,
      },
      {
        ...nothing,
        code: 'bad_response',
        sent: ['bad_response'],
        reason: 'the answer does not have the documented form',
        details: expect.stringContaining('validators: '),
        seconds: 0.25,
        clockAhead: 1_625,
      },
    ])
  })

  test('fields that the definition does not have are reported, cut and without secrets', async () => {
    const key = 'the-secret-key'
    const validators = [{ nodeID: 'NodeID-A' }, { nodeID: 'NodeID-B', news: 1, [`of ${key}`]: 2 }]
    const server = await createHostileServer(envelope({ result: { validators, ['x'.repeat(500)]: 3 } }))
    const asking = createAsking()
    const source = nodeAt(server.url, { key: { header: 'x-key', value: secret(key) } })
    await asking.client.call(source, getCurrentValidators, {}, asking)
    expect(asking.reports.map(({ unknownFields }) => unknownFields)).toEqual([
      ['validators[].news', 'validators[].of ***', 'x'.repeat(100)],
    ])
  })

  test('an item that cannot be read counts once, and each answer says that it lacks one', async () => {
    const listed = (uptime: string, ...more: object[]) =>
      envelope({
        result: { validators: [{ nodeID: 'NodeID-A' }, { nodeID: 'NodeID-C', weight: '-1', uptime }, ...more] },
      })
    const server = await createHostileServer(
      inTurn(listed('1'), listed('2'), listed('3', { nodeID: 'NodeID-D', weight: '-1' })),
    )
    const { client, reports, signal } = createAsking()
    const ask = async () => (await client.call(nodeAt(server.url), getCurrentValidators, {}, { signal })).dropped
    expect([await ask(), await ask(), await ask()]).toEqual([1, 1, 2])
    expect(reports.map(({ dropped }) => dropped)).toEqual([1, 0, 1])
  })

  test.each<[string, () => Promise<string>, true | undefined]>([
    ['a port that is closed', closedPort, true],
    [
      'a connection that breaks off',
      async () => (await createHostileServer((response) => response.socket!.destroy())).url,
      undefined,
    ],
    ['no answer', async () => (await createHostileServer(silence)).url, undefined],
    [
      'a proxy that cannot reach it',
      async () => (await createHostileServer(answer(502, 'Bad Gateway'))).url,
      undefined,
    ],
  ])('says whether a connection was refused: %s', async (_, urlOf, wasRefused) => {
    const { client, reports, signal } = createAsking({ timeout: 200 })
    await failure(client.call(nodeAt(await urlOf()), getCurrentSupply, {}, { signal }))
    expect(reports.map((report) => report.wasRefused)).toEqual([wasRefused])
  })

  test('counts how many of its requests were answered with HTTP 429', async () => {
    const limit = answer(429, 'slow down', { 'retry-after': '0' })
    const server = await createHostileServer(inTurn(limit, limit, envelope({ result: { validators: [] } })))
    const { client, reports, signal } = createAsking()
    await client.call(nodeAt(server.url), getCurrentValidators, {}, { signal })
    expect(reports).toMatchObject([{ code: 'ok', sent: ['http_status', 'http_status', 'ok'], limited: 2 }])
  })
})

test.each([
  [150_000, 'ok', ''],
  [150_001, 'too_large', 'lists 150001 validators, more than the 150000 that are read'],
])('an answer that lists %i items: %s', async (length, code, reason) => {
  const nodeID = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
  const server = await createHostileServer(
    envelope({ result: { validators: Array.from({ length }, () => ({ nodeID })) } }),
  )
  const { client, reports, signal } = createAsking({ timeout: 60_000 })
  await client.call(nodeAt(server.url), getCurrentValidators, {}, { signal }).catch(() => {})
  expect(reports[0]).toMatchObject({ code, reason: expect.stringContaining(reason) as string })
})
