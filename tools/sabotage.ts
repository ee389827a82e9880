// Changes the conditions one by one and asks whether alerts/tests notice: node tools/sabotage.ts [WORDS]. A condition fires at once
// or after twice the time, forgets what explains it, or to hold what is unknown; a metric that it or a fact
// reads is not there; a limit is doubled or halved where it stands in the code, and a comparison turned round. Prints what no test
// notices, and ends with 1 if there is any. `WORDS` takes the changes with these words in their names.

import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { isAbout, play, type RuleTest, seconds, testFiles, testsIn, type World } from '../test/alerts/play.ts'
import { type Condition, nameOf } from '../src/conditions/condition.ts'
import { conditions } from '../src/conditions/index.ts'
import { type Input, metricsIn } from '../src/conditions/view.ts'
import { entryOf } from '../src/lib/entry.ts'
import { type Node, walk } from './mutants.ts'
import { createReloading } from './sabotage/reloading.ts'
import { harmless } from './sabotage/harmless.ts'

interface Sabotage {
  name: string
  /** A test of one of these may notice. */
  alerts: readonly string[]
  world: () => World | Promise<World>
  /** Tests without it do not notice. */
  metric?: string
}

const root = new URL('../src/conditions/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

interface Played {
  test: RuleTest
  evaluation: number
  text: string
}

/** The shortest first: most changes are noticed by the test of the one alert. */
const tests: readonly Played[] = testFiles()
  .flatMap((file) => {
    const { tests: all, evaluation_interval: evaluation = '1m' } = testsIn(file)
    return all.map((test) => ({
      test,
      evaluation: seconds(evaluation),
      text: JSON.stringify(test).replaceAll('\\"', '"'),
    }))
  })
  .toSorted((a, b) => a.text.length - b.text.length)

/** Changes of the condition itself. */
function changesOf(condition: Condition): { name: string; changed: Condition }[] {
  const waits = condition.for
  return [
    { name: 'waits twice as long', changed: { ...condition, for: 2 * waits }, is: waits > 0 },
    { name: 'fires at once', changed: { ...condition, for: 0 }, is: waits > 0 },
    { name: 'waits', changed: { ...condition, for: 300 }, is: waits === 0 },
    // What keeps it quiet test/alerts/maintenance.test.ts asks of each.
    ...(['explainedBy', 'heldBy'] as const).map((name) => ({
      name: `without ${name}`,
      changed: { ...condition, [name]: undefined },
      is: condition[name] !== undefined,
    })),
  ].filter(({ is }) => is)
}

/** Lists of what facts read, by the names under which conditions share them. */
async function sharedReads(): Promise<ReadonlyMap<string, readonly string[]>> {
  const modules = await Promise.all(files.map((file) => import(new URL(file, root).href) as Promise<object>))
  return new Map(
    modules
      .flatMap((module) => Object.entries(module) as [string, readonly Input[]][])
      .filter(([name]) => name.endsWith('_READS'))
      .map(([name, reads]) => [name, [...new Set(metricsIn(reads))]]),
  )
}

const hasAll = (some: readonly string[], wanted: readonly string[]) => wanted.every((one) => some.includes(one))

/** What a list has beyond the shared lists that it has as a whole. */
function ownOf(reads: readonly string[], shared: readonly (readonly string[])[]): readonly string[] {
  const parts = shared.filter((one) => one.length < new Set(reads).size && hasAll(reads, one)).flat()
  return [...new Set(reads)].filter((metric) => !parts.includes(metric))
}

/** Each input once: that of a fact is not one of each condition that asks for the fact. */
async function withoutInputs(): Promise<Sabotage[]> {
  const shared = await sharedReads()
  const lists = [...shared.values()]
  const without = (name: string, alerts: readonly string[]) => (metric: string) => ({
    name: `${name} without ${metric}`,
    alerts,
    world: () => ({ conditions, without: metric }),
    metric,
  })
  const ofFacts = [...shared].flatMap(([name, reads]) => {
    const users = conditions.filter((one) => hasAll(metricsIn(one.reads), reads)).map(({ alert }) => alert)
    return users.length === 0 ? [] : ownOf(reads, lists).map(without(name, users))
  })
  const ofConditions = conditions.flatMap((one) => {
    const reads = metricsIn(one.reads)
    const isShared = lists.some((list) => hasAll(list, reads))
    return isShared ? [] : ownOf(reads, lists).map(without(nameOf(one), [one.alert]))
  })
  return [...ofFacts, ...ofConditions]
}

const ofConditions: readonly Sabotage[] = conditions.flatMap((condition) =>
  changesOf(condition).map(({ name, changed }) => ({
    name: `${nameOf(condition)} ${name}`,
    alerts: [condition.alert],
    world: () => ({ conditions: conditions.map((one) => (one === condition ? changed : one)) }),
  })),
)

const OPPOSITE: Readonly<Record<string, string>> = { '<': '>=', '>=': '<', '>': '<=', '<=': '>' }

const isIn = ({ start }: Node, other: Node | null) => other !== null && start >= other.start && start < other.end

interface Replaced extends Pick<Node, 'start' | 'end'> {
  by: string
  what: string
}

/** The changes of a file: comparisons turned round, and limits doubled and halved. */
function changesIn(path: string, text: string): Replaced[] {
  const found: Replaced[] = []
  const isOf = ({ start, end }: Node) => text.slice(start, end)
  const scale = (node: Node, by: string, what: string) =>
    found.push({ start: node.start, end: node.end, by, what: `${what} in ${isOf(node)}` })
  walk(parseSync(path, text).program, (node, parents) => {
    const [parent] = parents
    // A loop would not end.
    const isLoop = parents.some(
      (one) => /^(For|While)Statement$/.test(one.type) && isIn(node, one['test'] as Node | null),
    )
    const opposite = !isLoop && node.type === 'BinaryExpression' && OPPOSITE[node['operator'] as string]
    if (opposite) {
      const [left, right] = [node['left'] as Node, node['right'] as Node]
      const by = `${isOf(left)} ${opposite} ${isOf(right)}`
      found.push({ start: node.start, end: node.end, by, what: `${isOf(node)} turned round` })
    }
    if (node.type === 'MemberExpression' && /\blimits$/.test(isOf(node['object'] as Node))) {
      scale(node, `(2 * ${isOf(node)})`, 'twice the limit')
      scale(node, `(0.5 * ${isOf(node)})`, 'half the limit')
    }
    // A pattern takes limits by name: each is changed in what it takes them from.
    const target = node.type === 'VariableDeclarator' && (node['init'] as Node | null)
    if (!target || !/\blimits$/.test(isOf(target)) || (node['id'] as Node).type !== 'ObjectPattern') return
    for (const property of (node['id'] as Node)['properties'] as Node[]) {
      const name = isOf(property['key'] as Node)
      for (const [factor, word] of [
        [2, 'twice'],
        [0.5, 'half'],
      ] as const) {
        const by = `{ ...${isOf(target)}, ${name}: ${factor} * ${isOf(target)}.${name} }`
        found.push({ start: target.start, end: target.end, by, what: `${word} the limit ${name} in ${isOf(parent!)}` })
      }
    }
  })
  return found
}

/** What the judge itself reads decides about all of them. */
const everyone = conditions.map(({ alert }) => alert)

/** Changes of the code. A second one of the same name has its number. */
function ofCode(): Sabotage[] {
  const reloading = createReloading(root)
  const seen = new Map<string, number>()
  const ofJudge = (file: string) => (reloading.usersOf(file).includes('judge.ts') ? everyone : [])
  return files
    .filter((file) => reloading.usersOf(file).some((one) => one === 'index.ts' || one === 'judge.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, root), 'utf8')
      return changesIn(file, text).map(({ start, end, by, what }) => {
        const words = `${file}: ${what.replace(/\s+/g, ' ')}`
        const count = (seen.get(words) ?? 0) + 1
        seen.set(words, count)
        return {
          name: count === 1 ? words : `${words} (${count})`,
          // Most are noticed by tests of the alerts in the file itself.
          alerts: [...new Set([...alertsOf([file]), ...alertsOf(reloading.usersOf(file)), ...ofJudge(file)])],
          async world() {
            reloading.change(file, text.slice(0, start) + by + text.slice(end))
            const loaded = ['index.ts', 'judge.ts', 'board.ts'].map(reloading.load)
            return Object.assign({}, ...(await Promise.all(loaded))) as World
          },
        }
      })
    })
}

/** The alerts that are defined in these files. */
const alertsOf = (some: readonly string[]): readonly string[] => {
  const text = some.map((file) => readFileSync(new URL(file, root), 'utf8')).join('')
  return conditions.map(({ alert }) => alert).filter((alert) => text.includes(`'${alert}'`))
}

const byName = new Map(conditions.map((one) => [nameOf(one), one]))
/** Which others ask whether they have fired. */
const FIRED = ['maintenance_overrun', 'validator_disconnected', 'l1_validator_disconnected']

/** The names of what decides whether the alert fires. */
function neededFor(alert: string): ReadonlySet<string> {
  const needed = new Set<string>()
  const add = (name: string): void => {
    if (needed.has(name)) return
    needed.add(name)
    for (const cause of byName.get(name)!.explainedBy ?? []) add(cause)
  }
  for (const name of [nameOf({ alert }), ...FIRED]) add(name)
  return needed
}

interface About extends Played {
  /** The conditions that the test needs, by name: all where it expects something of others. */
  needs: (name: string) => boolean
}

const known = new Map<string, readonly About[]>()

const failsIn = ({ test, evaluation }: Played, alert: string, world: World): boolean =>
  play(test, evaluation, (one) => one === alert, world).length > 0

/** The tests about an alert, which pass. */
const testsOf = (alert: string): readonly About[] =>
  entryOf(known, alert, () => {
    const needed = neededFor(alert)
    const few = { conditions: conditions.filter((one) => needed.has(nameOf(one))) }
    return tests
      .filter(({ text }) => isAbout(text, alert))
      .map((one) => ({ ...one, needs: failsIn(one, alert, few) ? () => true : (name) => needed.has(name) }))
  })

/** Whether a test about one of the alerts fails. */
async function isNoticed({ alerts, world, metric }: Sabotage): Promise<boolean> {
  const changed = await world()
  const isNoticedBy = (alert: string) =>
    testsOf(alert).some((one) => {
      if (metric !== undefined && !one.text.includes(metric)) return false
      return failsIn(one, alert, { ...changed, conditions: changed.conditions.filter((of) => one.needs(nameOf(of))) })
    })
  try {
    return alerts.some(isNoticedBy)
  } catch {
    // A condition that cannot be judged fails every test.
    return true
  }
}

async function main(): Promise<void> {
  const [, , words = ''] = process.argv
  const all = [...ofConditions, ...(await withoutInputs()), ...ofCode()]
  const chosen = all.filter(({ name }) => name.includes(words))
  if (chosen.length === 0) throw new Error(`no change has "${words}" in its name; names begin such as wallet_low`)
  const open = chosen.filter(({ name }) => !(name in harmless))
  const unnoticed: string[] = []
  for (const one of open) {
    if (await isNoticed(one)) continue
    unnoticed.push(one.name)
    console.log(`not noticed: ${one.name}`)
  }
  const unknown = Object.keys(harmless).filter((name) => !all.some((one) => one.name === name))
  for (const name of unknown) console.log(`no such change: ${name}`)
  console.log(
    `${open.length - unnoticed.length} of ${chosen.length} noticed, ${chosen.length - open.length} cannot matter`,
  )
  process.exitCode = unnoticed.length + unknown.length === 0 ? 0 : 1
}

if (import.meta.main) await main()
