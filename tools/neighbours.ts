// A healthy network next to a bad neighbour that uses up one shared resource of the process at a time:
// node tools/neighbours.ts [--seconds=600] [--at-once=4] [KIND...]. Prints how far the runs of the healthy network were apart,
// as a share of their intervals, and ends with 1 where a task was more than 20 % later than it is alone. Runs in namespaces of its own: it needs
// a name server on port 53, a small disk, and unshare.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kinds } from './neighbours/kinds.ts'
import { play, type Played } from './neighbours/play.ts'

/** A task alone is late as well where its upstream's budget makes it wait: what counts is what the neighbour adds. */
const MOST_LATE = 1.2
const ENOUGH = 3

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    'at-once': { type: 'string', default: '4' },
    inside: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

if (values.inside) await playAll()
else process.exitCode = enterNamespaces()

function enterNamespaces(): number {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-neighbours-'))
  const [resolv, disk] = [join(folder.path, 'resolv.conf'), join(folder.path, 'disk')]
  writeFileSync(resolv, 'nameserver 127.0.0.1\n')
  const inside = `ip link set lo up && mount --bind ${resolv} /etc/resolv.conf && mkdir ${disk} &&
mount -t tmpfs -o size=2m tmpfs ${disk} && STAKEWATCH_DISK=${disk} exec "$0" "$@"`
  const namespaces = '--user --map-root-user --net --mount --kill-child --pid --fork --mount-proc'.split(' ')
  const args = [process.execPath, import.meta.filename, '--inside', ...process.argv.slice(2)]
  const { status } = spawnSync('unshare', [...namespaces, 'sh', '-c', inside, ...args], { stdio: 'inherit' })
  return status ?? 1
}

async function playAll(): Promise<void> {
  const names = spawn(process.execPath, [new URL('neighbours/names.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(names.stdout, 'data')
  const seconds = Number(values.seconds)
  const left = Object.entries(kinds).filter(
    ([name]) => name !== 'none' && (positionals.length === 0 || positionals.includes(name)),
  )
  const count = left.length
  const delayed: string[] = []
  const alone = play('none', kinds['none']!, seconds)
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, kind] = next
      const played = await play(name, kind, seconds)
      const late = lateIn(played, await alone)
      console.log(lineOf(name, played, late))
      if (late.length > 0) delayed.push(name)
    }
  }
  await Promise.all([
    alone.then((played) => console.log(lineOf('none', played, []))),
    ...Array.from({ length: Number(values['at-once']) }, work),
  ])
  names.kill()
  console.log(`${count} neighbours for ${seconds} s each, ${delayed.length} of them delay the healthy network`)
  const compared = [...(await alone).apart.values()].filter((times) => times.length >= ENOUGH).length
  console.log(`${compared} tasks ran often enough to be compared`)
  process.exitCode = delayed.length > 0 || compared === 0 ? 1 : 0
}

/** Tasks that came later than alone, and those that did not run. */
function lateIn({ apart }: Played, alone: Played): string[] {
  return [...alone.apart].flatMap(([task, times]) => {
    // A task of every hour runs by chance.
    if (times.length < ENOUGH) return []
    const own = apart.get(task) ?? []
    const [worst, before] = [own.length === 0 ? Infinity : Math.max(...own), Math.max(1, ...times)]
    return worst > MOST_LATE * before
      ? `${task} ${(100 * worst).toFixed(0)} % (${(100 * before).toFixed(0)} % alone)`
      : []
  })
}

function lineOf(name: string, { apart, struck }: Played, late: readonly string[]): string {
  const all = [...apart.values()].flat().toSorted((a, b) => a - b)
  const share = (part: number) => `${(100 * (all[Math.floor(part * all.length)] ?? Infinity)).toFixed(1)} %`
  const runs = `${all.length} runs of ${apart.size} tasks, ${share(0.5)} of the interval apart, 99 % of them within ${share(0.99)}`
  return [`${name}: ${runs}; ${struck}`, ...late.map((one) => `  late: ${one}`)].join('\n')
}
