// Loads the conditions again with the changed text of one file, and with it those that depend on it.
import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

export function createReloading(root: URL) {
  const users = dependants(root)
  let current = { url: '', text: '', generation: 0, urls: new Set<string>() }
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const url = resolved.url.split('?')[0]!
      return current.urls.has(url) ? { ...resolved, url: `${url}?mutant=${current.generation}` } : resolved
    },
    load(url, context, next) {
      if (url.split('?')[0] !== current.url) return next(url, context)
      return { format: 'module-typescript', source: current.text, shortCircuit: true }
    },
  })
  return {
    /** The files that depend on a file, itself included. */
    usersOf: (file: string): readonly string[] => users.get(file)!,
    /** From now on the file has this text. */
    change(file: string, text: string): void {
      const urls = new Set(users.get(file)!.map((one) => new URL(one, root).href))
      current = { url: new URL(file, root).href, text, generation: current.generation + 1, urls }
    },
    load: async (file: string): Promise<object> => (await import(new URL(file, root).href)) as object,
  }
}

/** Files that depend on each file, itself included. */
export function dependants(root: URL): ReadonlyMap<string, readonly string[]> {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const usedBy = new Map<string, string[]>(all.map((file) => [file, []]))
  for (const file of all) {
    const text = readFileSync(new URL(file, root), 'utf8')
    for (const [, path] of text.matchAll(/from '(\.[^']+)'/g)) {
      const used = new URL(path!, new URL(file, root)).href.slice(root.href.length)
      usedBy.get(used)?.push(file)
    }
  }
  const found = (file: string, users: Set<string>): Set<string> => {
    users.add(file)
    for (const one of usedBy.get(file)!) if (!users.has(one)) found(one, users)
    return users
  }
  return new Map(all.map((file) => [file, [...found(file, new Set())]]))
}
