// Reading an exposition, and waiting for it to say something.

import { setTimeout as wait } from 'node:timers/promises'

export interface Series {
  labels: Record<string, string>
  value: number
}

/** Every sample line of one name whose labels are among others those given. */
export function seriesOf(text: string, name: string, labels: Record<string, string> = {}): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, found, inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (found !== name) return []
    const own = Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]))
    return Object.entries(labels).every(([key, text]) => own[key] === text)
      ? [{ labels: own, value: Number(value) }]
      : []
  })
}

/** The value of the only such line; undefined when there is none. */
export function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const found = seriesOf(text, name, labels)
  if (found.length > 1) throw new Error(`${name} ${JSON.stringify(labels)} is ${found.length} series`)
  return found[0]?.value
}

export async function scrape(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

/** Asks again and again until the answer is there; gives up loudly after `seconds`. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  seconds: number = 10,
): Promise<T> {
  const end = performance.now() + seconds * 1_000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`still not so after ${seconds} s: ${what}`)
    await wait(25)
  }
}
