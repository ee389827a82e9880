// A healthy network beside a bad neighbour that uses up one shared resource of the process at a time:
// node tools/neighbours.ts [--seconds=600] [--at-once=4] [KIND...]. Prints how far the runs of the healthy network were apart,
// as a share of their intervals, and ends with 1 where one came more than 20 % late. Runs in namespaces of its own: it needs
// a name server on port 53, a small disk, and unshare.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kinds } from './neighbours/kinds.ts'
import { play, type Played } from './neighbours/play.ts'

const MOST_LATE = 1.2

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
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-neighbours-'))
  try {
    const [resolv, disk] = [join(folder, 'resolv.conf'), join(folder, 'disk')]
    writeFileSync(resolv, 'nameserver 127.0.0.1\n')
    const inside = `ip link set lo up && mount --bind ${resolv} /etc/resolv.conf && mkdir ${disk} &&
mount -t tmpfs -o size=2m tmpfs ${disk} && STAKEWATCH_DISK=${disk} exec "$0" "$@"`
    const args = [process.execPath, import.meta.filename, '--inside', ...process.argv.slice(2)]
    const { status } = spawnSync(
      'unshare',
      [
        '--user',
        '--map-root-user',
        '--net',
        '--mount',
        '--kill-child',
        '--pid',
        '--fork',
        '--mount-proc',
        'sh',
        '-c',
        inside,
        ...args,
      ],
      { stdio: 'inherit' },
    )
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function playAll(): Promise<void> {
  const names = spawn(process.execPath, [new URL('neighbours/names.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(names.stdout, 'data')
  const chosen = Object.entries(kinds).filter(([name]) => positionals.length === 0 || positionals.includes(name))
  const seconds = Number(values.seconds)
  const left = [...chosen]
  const late: string[] = []
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, kind] = next
      const played = await play(name, kind, seconds)
      console.log(lineOf(name, played))
      if (played.worst > MOST_LATE || played.runs === 0) late.push(name)
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
  names.kill()
  console.log(`${chosen.length} neighbours for ${seconds} s each, ${late.length} of them delay the healthy network`)
  process.exitCode = late.length > 0 ? 1 : 0
}

function lineOf(name: string, { runs, tasks, median, worst, of, struck }: Played): string {
  const share = (one: number) => `${(100 * one).toFixed(1)} %`
  return `${name.padEnd(16)} ${runs} runs of ${tasks} tasks, ${share(median)} of the interval apart, at most ${share(worst)} (${of}); ${struck}`
}
