// Where the values of a file are, of what kind they are, and what is wrong with them.

import { isMap, isNode, isScalar, isSeq } from 'yaml'

export interface Problem {
  offset: number
  /** As written; empty for the file as a whole. */
  path: string
  message: string
}

/** The place and kind of a value; never the value itself, which may be a secret. */
export interface Place {
  offset: number
  /** The path as written: of `key_file` where the value is that of `key`. */
  written: string
  found: 'nothing' | 'text' | 'a number' | 'a boolean' | 'a list' | 'a map'
  from: 'configuration' | 'environment variable' | 'file'
  /** Names of the environment variables, or the path of the file; only the variables if the path itself comes from them. */
  by?: string
}

export function showPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, step) => joined(before, step), '')
}

export function joined(before: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${before}[${step}]`
  return before === '' ? String(step) : `${before}.${String(step)}`
}

/** Limits the text that is shown and compared with known keys. */
export const LONGEST_KEY = 64

/** In {key:value} everything is the key, so the part after the colon may be a secret. A key may have any content and length. */
export function shown(key: string): string {
  const [word = ''] = key.split(':', 1)
  const plain = word.slice(0, LONGEST_KEY).replace(/[\p{C}\p{Z}]/gu, '?')
  return word.length > LONGEST_KEY ? `${plain}...` : plain
}

/** Undefined for a value that is left out, so that its key is pointed at. */
export function startOf(node: unknown): number | undefined {
  if (!isNode(node) || !node.range) return undefined
  const [start, end] = node.range
  return isScalar(node) && node.value === null && start === end ? undefined : start
}

export function kindOf(node: unknown): Place['found'] {
  if (isMap(node)) return 'a map'
  if (isSeq(node)) return 'a list'
  const value = isScalar(node) ? node.value : null
  if (value === null) return 'nothing'
  if (typeof value === 'string') return kindOfText(value)
  return typeof value === 'boolean' ? 'a boolean' : 'a number'
}

export function kindOfText(text: string): Place['found'] {
  return text === '' ? 'nothing' : 'text'
}
