// An open loop of scrapes: each begins at its time, whether or not the one before has ended, and its latency counts from
// then. A client that waited would not see what a pause does to those who come meanwhile.

import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { answer } from '../process.ts'

const [, , url, count, interval] = process.argv as [string, string, string, string, string]
const agent = new Agent({ keepAlive: true })
const headers = { 'accept-encoding': 'gzip' }

/** Milliseconds from its time to the last byte. */
async function latency(due: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  get(url, { agent, headers }, (response) => {
    response.on('data', () => {})
    response.on('end', () => resolve(performance.now() - due))
    response.on('error', reject)
  }).on('error', reject)
  return promise
}

async function openLoop(times: number): Promise<number[]> {
  const begun = performance.now()
  const all: Promise<number>[] = []
  for (let at = 0; at < times; at += 1) {
    const due = begun + at * Number(interval)
    // A timer that fires late must not make a scrape look quick, nor slow: it is the client's own delay.
    await wait(Math.max(0, due - performance.now()))
    all.push(latency(Math.max(due, performance.now())))
  }
  return Promise.all(all)
}

answer(
  {},
  {
    async warm() {
      await openLoop(5)
      return {}
    },
    round: async () => Object.fromEntries((await openLoop(Number(count))).map((one, at) => [`${at}`, one])),
  },
)
