// A real client on real undici, with what it reported.

import { expect, onTestFinished } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { type CallReport, type ClientOptions, createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { clockOf } from '../support/clock.ts'
import { unlimited } from '../support/unlimited.ts'
import type { Source } from '../../src/upstream/source.ts'

/** `timeout` in milliseconds is ample unless the test is about it. */
export function createAsking({
  timeout = 10_000,
  now = Date.now,
  ...more
}: { timeout?: number; now?: () => number } & Partial<Pick<ClientOptions, 'accountOf'>> = {}) {
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now })
  onTestFinished(() => http.close())
  const reports: CallReport[] = []
  const clock = clockOf(now)
  const report = (call: CallReport) => reports.push(call)
  const client = createClient({ http, timeout, clock, ...unlimited(clock), ...more, report })
  return { client, reports, http, signal: new AbortController().signal }
}

export function nodeAt(url: string, more: Partial<Source> = {}): Source {
  return { service: 'node', network: 'fuji', name: 'node-a', url: secretUrl(url), ...more }
}

export function dataAt(url: string, key?: string): Source {
  const source: Source = { service: 'data', network: 'fuji', name: 'data-api', url: secretUrl(url) }
  return key === undefined ? source : { ...source, key: { header: 'x-data-api-key', value: secret(key) } }
}

export async function failure(promise: Promise<unknown>): Promise<BaseError> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(BaseError)
  return thrown as BaseError
}
