// Run as a process of its own: imports the modules it is given and reports on stderr, as JSON, what they did by that.

import { createHook } from 'node:async_hooks'
import { writeSync } from 'node:fs'

/** Loading itself makes these. */
const loading = new Set(['PROMISE', 'TickObject', 'DNSCHANNEL'])

const did: string[] = []
// Libraries ask whether these are terminals: what Node opens for that is no deed of the module.
void [process.stdin, process.stdout, process.stderr]
createHook({ init: (_, type) => void (loading.has(type) || did.push(type)) }).enable()
const listenedBefore = process.eventNames()
for (const module of process.argv.slice(2)) await import(module)
for (const name of process.eventNames()) if (!listenedBefore.includes(name)) did.push(`process.on ${String(name)}`)
writeSync(2, JSON.stringify(did))
