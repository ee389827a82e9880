// Changes the definitions of the operations, one thing at a time (a parameter's rule, a path, a name), and prints the changes
// that no case in test/operations/cases notices. Ends with 1 if there are any.

import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Operation } from '../src/operations/define.ts'
import { allCases, type Cases, failures } from '../test/operations/cases.ts'
import { mutantsOf } from './mutants.ts'
import { dependants } from './sabotage/reloading.ts'

const root = new URL('../src/operations/', import.meta.url)

/** Files with definitions, or with parts of them. */
function files(): string[] {
  const inFolder = (folder: string) => readdirSync(new URL(folder, root)).map((file) => `${folder}${file}`)
  return ['fields.ts', ...['data/', 'node/', 'metrics/'].flatMap(inFolder)]
}

/** Loads definitions again for each mutant, with the changed text of one file. */
function createLoader() {
  let current = { url: '', text: '', generation: 0 }
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      if (current.generation === 0 || !resolved.url.startsWith(root.href)) return resolved
      return { ...resolved, url: `${resolved.url.split('?')[0]}?mutant=${current.generation}` }
    },
    load(url, context, next) {
      if (url.split('?')[0] !== current.url) return next(url, context)
      return { format: 'module-typescript', source: current.text, shortCircuit: true }
    },
  })
  return (file: string, text: string) => {
    current = { url: new URL(file, root).href, text, generation: current.generation + 1 }
    return async (wanted: string): Promise<Operation[]> => {
      const module = (await import(new URL(wanted, root).href)) as object
      return Object.values(module).filter((member): member is Operation => Object(member).via !== undefined)
    }
  }
}

async function survivors(share: number, of: number): Promise<{ tried: number; survived: string[] }> {
  const cases = new Map<string, Cases>((await allCases()).map((one) => [one.operation, one]))
  const load = createLoader()
  const all = files()
  const users = dependants(root)
  const survived: string[] = []
  let tried = 0
  /** Whether no case notices anything in these files. Loads none after the first that one notices something in. */
  async function survives(wanted: readonly string[], open: ReturnType<typeof load>): Promise<boolean> {
    try {
      for (const file of wanted) {
        for (const one of await open(file)) if (!failures(one, cases.get(one.name)!).next().done) return false
      }
      return true
    } catch {
      // Every test notices a definition that cannot be loaded.
      return false
    }
  }
  for (const file of all) {
    const wanted = users.get(file)!.filter((one) => all.includes(one))
    const mutants = mutantsOf(file, readFileSync(new URL(file, root), 'utf8'))
    for (const [at, { what, text }] of mutants.entries()) {
      if (at % of !== share) continue
      tried += 1
      if (await survives(wanted, load(file, text))) survived.push(what)
    }
  }
  return { tried, survived }
}

/** Every mutant that no case notices, found on all cores. */
async function findSurvivors(): Promise<{ tried: number; survived: string[] }> {
  const of = availableParallelism()
  const parts = await Promise.all(
    Array.from(
      { length: of },
      (_, share) =>
        new Promise<{ tried: number; survived: string[] }>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: { share, of } })
          worker.on('message', resolve)
          worker.on('error', reject)
        }),
    ),
  )
  return {
    tried: parts.reduce((sum, { tried }) => sum + tried, 0),
    survived: parts.flatMap(({ survived }) => survived),
  }
}

if (!isMainThread) {
  const { share, of } = workerData as { share: number; of: number }
  parentPort!.postMessage(await survivors(share, of), [])
} else if (import.meta.main) {
  const { tried, survived } = await findSurvivors()
  for (const one of survived.toSorted()) console.log(`survived: ${one}`)
  console.log(`${tried} mutants, ${survived.length} survived`)
  if (survived.length > 0) {
    console.log(
      'No case notices these changes: add to `asks`, `refuses` or `answers` in test/operations/cases/<name>.ts',
    )
    process.exitCode = 1
  }
}
