// Scrapes over HTTP, and waits until a scrape has what a test expects.

import { setTimeout as wait } from 'node:timers/promises'

export async function scrape(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

/** Seconds: long enough for a machine at a load of 50. */
const PATIENCE = 240

/** Asks again and again until the answer is there, also where asking fails: on a busy machine a request runs out of time. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + PATIENCE * 1_000
  for (;;) {
    let cause: unknown
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
    } catch (error) {
      cause = error
    }
    if (performance.now() > end) throw new Error(`still not so after ${PATIENCE} s: ${what}`, { cause })
    await wait(25)
  }
}
