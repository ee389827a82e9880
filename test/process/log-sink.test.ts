import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createLogSink } from '../../src/process/log-sink.ts'

const LINE = `${'x'.repeat(999)}\n`

function opened(path: string): number {
  const descriptor = openSync(path, 'a')
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

/** Neither a file nor a device. */
function pipe(): number {
  const descriptor = openSync('/dev/ptmx', 'r+')
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

const unused = new Writable({ write: () => expect.unreachable('writes to the stream') })

test('lines for a file are in it at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sink = createLogSink(opened(join(folder, 'log')), unused)
  sink.write('a é\n')
  sink.write('b\n')
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('a é\nb\n')
  expect(sink.dropped()).toBe(0)
})

test('lines for a disk that is full are counted, each of them', async () => {
  const sink = createLogSink(opened('/dev/full'), unused)
  for (let line = 0; line < 5; line += 1) sink.write(LINE)
  expect(sink.dropped()).toBe(5)
  await sink.flushed()
})

/** As the platform makes one for a terminal or a pipe. */
function streamOf(write: (text: string, done: (error?: Error) => void) => void) {
  const stream = new Writable({ write: (chunk, _, done) => write(String(chunk), done) })
  return Object.assign(stream, { isTTY: true })
}

test('one MiB of unread lines waits, others are counted; later lines arrive when the reader goes on', async () => {
  const read: string[] = []
  let pending: (() => void) | undefined
  let isRead = false
  const stream = streamOf((text, done) => {
    read.push(text)
    if (isRead) done()
    else pending = done
  })
  const sink = createLogSink(pipe(), stream)
  for (let line = 0; line < 5_000; line += 1) sink.write(LINE)
  // 1,048 lines of 1,000 bytes are the last that fit.
  expect([stream.writableLength, sink.dropped()]).toEqual([1_048_000, 3_952])
  isRead = true
  pending?.()
  await sink.flushed()
  sink.write('again\n')
  await sink.flushed()
  expect(sink.dropped()).toBe(3_952)
  expect(read.filter((text) => text === LINE)).toHaveLength(1_048)
  expect(read).toContain('again\n')
})

test('lines for a reader that has gone are counted, and end nothing', async () => {
  const stream = streamOf((_, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))
  const sink = createLogSink(pipe(), stream)
  for (let line = 0; line < 3; line += 1) sink.write(LINE)
  await sink.flushed()
  sink.write(LINE)
  await sink.flushed()
  expect(sink.dropped()).toBe(4)
  expect(stream.writableLength).toBe(0)
})
