import { describe, expect, test } from 'vitest'
import { createLine, createLockQueues } from '../../src/upstream/json-rpc.ts'

/** Timers end when the test says so; calls too. */
function opened() {
  const timers = new Set<() => void>()
  const line = createLine({
    after(milliseconds, work) {
      expect(milliseconds).toBe(1_000)
      timers.add(work)
      return () => timers.delete(work)
    },
  })
  const begun: string[] = []
  const calls = new Map<string, PromiseWithResolvers<void>>()
  const never = new AbortController().signal
  return {
    begun,
    /** Named by its method and a number. */
    enter(name: string, signal: AbortSignal = never) {
      return line.enter(name.slice(0, -1), signal, async () => {
        begun.push(name)
        calls.set(name, Promise.withResolvers())
        await calls.get(name)!.promise
      })
    },
    end: async (name: string) => {
      calls.get(name)!.resolve()
      await settled()
    },
    fail: async (name: string) => {
      calls.get(name)!.reject(new Error('down'))
      await settled()
    },
    aSecondPasses() {
      const due = Array.from(timers)
      for (const work of due) work()
      timers.clear()
    },
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a line', () => {
  test('has one call in flight while each of them ends within a second', async () => {
    const { enter, end, begun } = opened()
    for (const name of ['status1', 'status2', 'uptime1']) void enter(name)
    await settled()
    expect(begun).toEqual(['status1'])
    await end('status1')
    expect(begun).toEqual(['status1', 'status2'])
    await end('status2')
    expect(begun).toEqual(['status1', 'status2', 'uptime1'])
  })

  test('a call that takes longer holds back its own method alone', async () => {
    const { enter, end, begun, aSecondPasses } = opened()
    for (const name of ['status1', 'status2', 'uptime1', 'supply1']) void enter(name)
    await settled()
    aSecondPasses()
    await settled()
    expect(begun).toEqual(['status1', 'uptime1'])
    await end('uptime1')
    expect(begun).toEqual(['status1', 'uptime1', 'supply1'])
    await end('supply1')
    void enter('uptime2')
    await settled()
    expect(begun.at(-1)).toBe('uptime2')
    // Two calls of a method are never in flight together.
    expect(begun).not.toContain('status2')
    await end('uptime2')
    await end('status1')
    expect(begun.at(-1)).toBe('status2')
  })

  test('goes on after a call that failed', async () => {
    const { enter, fail, begun } = opened()
    const first = enter('status1').catch(() => 'failed')
    void enter('status2')
    await settled()
    await fail('status1')
    expect(await first).toBe('failed')
    expect(begun).toEqual(['status1', 'status2'])
  })

  test('an abandoned call leaves it and is never made', async () => {
    const { enter, end, begun } = opened()
    const impatient = new AbortController()
    void enter('status1')
    const gone = enter('uptime1', impatient.signal).catch((error: unknown) => error)
    void enter('supply1')
    await settled()
    impatient.abort(new Error('too late'))
    expect(await gone).toMatchObject({ message: 'too late' })
    await end('status1')
    expect(begun).toEqual(['status1', 'supply1'])
  })

  test('an abandoned call does not enter', async () => {
    const { enter, begun } = opened()
    await expect(enter('status1', AbortSignal.abort())).rejects.toThrow('aborted')
    expect(begun).toEqual([])
  })
})

test('a line exists only while a call waits in it, and each place has its own', async () => {
  const lines = createLockQueues({ after: () => () => {} })
  const ends = new Map<string, () => void>()
  const leave = new AbortController()
  const enter = (place: string, name: string, signal = new AbortController().signal) =>
    lines.enter(place, 'status', signal, () => new Promise<void>((resolve) => ends.set(name, resolve)))
  const first = [enter('a', 'a1'), enter('b', 'b1')]
  const second = enter('a', 'a2')
  const third = enter('a', 'a3', leave.signal)
  await settled()
  expect([[...ends.keys()], lines.count()]).toEqual([['a1', 'b1'], 2])
  leave.abort()
  await expect(third).rejects.toThrow('aborted')
  ends.get('a1')!()
  ends.get('b1')!()
  await Promise.all(first)
  await settled()
  expect([[...ends.keys()], lines.count()]).toEqual([['a1', 'b1', 'a2'], 1])
  ends.get('a2')!()
  await second
  expect(lines.count()).toBe(0)
})
