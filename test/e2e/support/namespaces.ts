// Commands that run in namespaces of their own, where a user may mount and listen on port 53.

import { spawnSync } from 'node:child_process'

const OWN = ['--user', '--map-root-user', '--net', '--mount']

/** Not every machine lets a user have namespaces. */
export const mayUnshare = spawnSync('unshare', [...OWN, 'true']).status === 0

/** A script for the shell, and its arguments from $0 on. */
export function runInside(script: string, args: readonly string[]): { stdout: string; stderr: string } {
  return spawnSync('unshare', [...OWN, 'sh', '-c', script, ...args], { encoding: 'utf8', timeout: 60_000 })
}
