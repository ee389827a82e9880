// How two answers differ in their form: in status, members, JSON types, error codes and words. What they name may differ:
// ids, addresses, hashes, times and numbers.

/** Free texts, chosen by the maker of the thing, and levels, which the operator sets. */
const CHOSEN = new Set(['name', 'networkName', 'chainName', 'genesisData', 'logLevel', 'displayLevel'])

/** What a virtual machine says of its own health is its own matter. */
const ITS_OWN = /\.vm\.health$/

/** What follows from the state of the node alone, and must be the same. */
const VERDICT = /^(result\.)?(healthy|isBootstrapped)$/

/** Where the answers differ, one line each. */
export function differences(recorded: unknown, simulated: unknown, known: Pool = {}, path = ''): string[] {
  const [a, b] = [typeOf(recorded), typeOf(simulated)]
  if (ITS_OWN.test(path)) return []
  if (a !== b) return [`${path}: ${a} recorded, ${b} simulated`]
  if (Array.isArray(recorded)) return ofLists(recorded, simulated as unknown[], known, path)
  if (a === 'object') return ofObjects(recorded as Members, simulated as Members, known, path)
  if (VERDICT.test(path))
    return recorded === simulated ? [] : [`${path}: ${String(recorded)} recorded, ${String(simulated)} simulated`]
  if (a !== 'string' || CHOSEN.has(path.split('.').at(-1)!)) return []
  const [said, saw] = [wordsOf(recorded as string), wordsOf(simulated as string)]
  return said === saw ? [] : [`${path}: ${JSON.stringify(said)} recorded, ${JSON.stringify(saw)} simulated`]
}

type Members = Readonly<Record<string, unknown>>

/** By path: items that real nodes have given in any case. A simulated list may hold these in addition to those of its case. */
export type Pool = Readonly<Record<string, readonly unknown[]>>

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** Lists may differ in length, the list that is the result must be empty alike. Each recorded item needs one of its form, and each simulated one must be known in its form. */
function ofLists(recorded: readonly unknown[], simulated: readonly unknown[], known: Pool, path: string): string[] {
  const at = `${path}[]`
  const isScalar = [...recorded, ...simulated].every((item) => typeof item !== 'object')
  if (isScalar && (recorded.length === 0 || simulated.length === 0)) return []
  const isResult = /^result\.\w+$/.test(path)
  if (isResult && recorded.length === 0 && simulated.length > 0)
    return [`${path}: nothing recorded, ${simulated.length} simulated`]
  const closest = (item: unknown, others: readonly unknown[], compare: (other: unknown) => string[]) =>
    others.map(compare).toSorted((a, b) => a.length - b.length)[0] ?? [
      `${at}: no item with ${[...formOf(item)].join(', ')}`,
    ]
  const [needed, found] = [distinct(recorded), distinct(simulated)]
  const seen = [...needed, ...(known[at] ?? [])]
  const missing = needed.flatMap((item) => closest(item, found, (other) => differences(item, other, known, at)))
  const strange = found.flatMap((item) => closest(item, seen, (other) => differences(other, item, known, at)))
  return [...new Set([...missing, ...strange])]
}

/** One item of each form, the first. */
export function distinct(items: readonly unknown[]): unknown[] {
  return [...Map.groupBy(items, keyOf).values()].map(([first]) => first)
}

/** By item: it is compared with many. */
const keys = new WeakMap<object, string>()

function keyOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return [...formOf(item)].join()
  const key = keys.get(item) ?? [...formOf(item)].toSorted().join('\n')
  keys.set(item, key)
  return key
}

/** An object whose keys are ids is a map: its entries are compared as those of a list are. */
function ofObjects(recorded: Members, simulated: Members, known: Pool, path: string): string[] {
  const [a, b] = [recorded, simulated].map((one) => Map.groupBy(Object.keys(one), (key) => wordsOf(key))) as [
    Map<string, string[]>,
    Map<string, string[]>,
  ]
  // A map of ids may be empty.
  const isMap = [...a.keys(), ...b.keys()].some((key) => key === ID)
  const keys = [...new Set([...a.keys(), ...b.keys()])].filter((key) => !(isMap && key === ID))
  const alone = keys.flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`
    if (!b.has(key)) return [`${at}: recorded only`]
    if (!a.has(key)) return [`${at}: simulated only`]
    return differences(recorded[a.get(key)![0]!], simulated[b.get(key)![0]!], known, at)
  })
  const entries = (one: Members, groups: Map<string, string[]>) => (groups.get(ID) ?? []).map((key) => one[key])
  const [first, second] = [entries(recorded, a), entries(simulated, b)]
  const ofEntries = first.length > 0 && second.length > 0 ? ofLists(first, second, known, `${path}.${ID}`) : []
  return [...alone, ...ofEntries]
}

/** Every member by its path, with its type or its words. */
function formOf(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) return new Set([path, ...value.flatMap((item) => [...formOf(item, `${path}[]`)])])
  if (typeof value !== 'object' || value === null) {
    return new Set([`${path}: ${typeof value === 'string' ? wordsOf(value) : typeOf(value)}`])
  }
  return new Set(Object.entries(value).flatMap(([key, member]) => [...formOf(member, `${path}.${key}`)]))
}

/** What stands for any id. */
export const ID = '<id>'

/** By text: each is compared with many. */
const words = new Map<string, string>()

/** What stays when all that a text names is taken out. */
export function wordsOf(text: string): string {
  const known = words.get(text) ?? withoutNames(text)
  words.set(text, known)
  return known
}

function withoutNames(text: string): string {
  return text
    .replace(/NodeID-[1-9A-HJ-NP-Za-km-z]{20,}/g, 'NodeID-<id>')
    .replace(/\b([PXC])-(avax|fuji|local|custom)1[02-9ac-hj-np-z]{38}\b/g, '$1-<address>')
    .replace(/0x[0-9a-f]+/g, '0x<hex>')
    .replace(/^0x$/, '0x<hex>')
    .replace(/\b(\d+(\.\d+)?(h|ms|m|µs|ns|s))+\b/g, '<duration>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}(Z|[+-]\d\d:\d\d)/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/g, '<whole time>')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{30,52}\b/g, ID)
    .replace(/hrp "(local|custom|fuji)"/g, 'hrp "<network>"')
    .replace(
      /\b\d+(\.\d+)?\b/g,
      (_, decimals: string | undefined) => `<number${decimals ? '.'.padEnd(decimals.length, '0') : ''}>`,
    )
}
