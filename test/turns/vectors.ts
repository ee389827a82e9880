// What AvalancheGo computes itself (test/fixtures/turns).

import { readFileSync } from 'node:fs'

interface Vectors {
  windowSeconds: number
  slots: readonly number[]
  blocks: readonly {
    name: string
    bytes: string
    id: string
    parentID: string
    timestamp: number
    pChainHeight: string
    epochNumber?: string
    proposer: string
    innerBytes: string
  }[]
  sets: readonly {
    name: string
    chainID: string
    validators: Readonly<Record<string, string>>
    turns: Readonly<Record<string, readonly string[]>>
  }[]
}

const text = readFileSync(new URL('../fixtures/turns/vectors.json', import.meta.url), 'utf8')
export const vectors = JSON.parse(text) as Vectors

export function bytesIn(digits: string): Buffer {
  return Buffer.from(digits.slice(2), 'hex')
}
