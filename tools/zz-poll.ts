import { collectors } from '../src/collectors/index.ts'
import { getCurrentValidators } from '../src/operations/node/platform.getCurrentValidators.ts'
import { parseAnswer } from '../src/operations/define.ts'
import { parseJson } from '../src/upstream/json.ts'
import { loadConfig } from '../src/config/load.ts'
import { plan } from '../src/scheduler/plan.ts'
import { createRunner } from '../src/scheduler/run.ts'
import { createMemories } from '../src/scheduler/memory.ts'
import { createBounds } from '../src/upstream/bounds.ts'
import { NEVER } from '../src/lib/clock.ts'
import { nodeIdOf } from './zz-ids.ts'

const N = Number(process.argv[2] ?? 20000)
const names = (process.argv[3] ?? 'uptime').split(',')
const addr = 'P-avax1' + 'q'.repeat(38)
const owner = { locktime: '0', threshold: '1', addresses: [addr] }
const ids = Array.from({ length: N }, (_, i) => nodeIdOf(i))
const records = ids.map((nodeID, i) => ({
  txID: '2' + 'x'.repeat(40) + String(i).padStart(8, '1'),
  startTime: String(1750000000 + i),
  endTime: String(1790000000 + i),
  weight: String(2000000000000 + i),
  nodeID,
  rewardOwner: owner,
  validationRewardOwner: owner,
  delegationRewardOwner: owner,
  potentialReward: String(117431430386 + i),
  accruedDelegateeReward: '0',
  delegationFee: '2.0000',
  uptime: (99 + (i % 100) / 100).toFixed(4),
  connected: true,
  signer: { publicKey: '0x' + 'ab'.repeat(48), proofOfPossession: '0x' + 'cd'.repeat(96) },
  delegatorCount: '3',
  delegatorWeight: '500000000000',
}))
const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { validators: records } })
const bodyBytes = Buffer.from(text)
const yaml =
  `networks:\n  - name: mainnet\n    nodes: [{ name: node-a, url: "http://127.0.0.1:9650" }]\n    validators:\n${ids.map((id, i) => `      - { node_id: ${id}, name: val-${i} }`).join('\n')}\n` +
  `collectors:\n${names.map((n) => `  ${n}: { max_series: 10000000 }`).join('\n')}\n`
const config = loadConfig(yaml, {
  file: 't',
  env: {},
  readFile: () => '',
  collectors: collectors.map(({ name }) => name),
})
const tasks = plan(
  config,
  collectors.filter(({ name }) => names.includes(name)),
)
console.log(
  'bytes',
  text.length,
  'tasks',
  tasks.map((t) => t.key),
)
const marks: Record<string, number> = {}
const time = <T>(name: string, f: () => T): T => {
  const t = performance.now()
  const r = f()
  marks[name] = (marks[name] ?? 0) + performance.now() - t
  return r
}
const now = () => ({ steady: performance.now(), wall: 1760000000_000 })
const clock = { now, after: () => () => {}, deadline: () => new AbortController().signal } as never
let bytes = 0,
  series = 0
let pub: any[] = []
const runner = createRunner({
  client: {
    call: async (source: any, operation: any) => {
      const raw: any = time('json', () => JSON.parse(text))
      time('bounds', () => createBounds(operation.maxBytes)(bodyBytes))
      const { value, dropped } = time('zod', () => parseAnswer(operation, raw.result))
      return { value, at: now(), source: source.name, dropped }
    },
  } as never,
  memories: createMemories(),
  publish: (m: any) => {
    if (m.kind === 'publish') {
      pub.push(m)
      for (const f of m.families) {
        bytes += f.lines.length
        series += f.series
      }
    }
  },
  seriesDropped: (n) => console.log('dropped', n),
  answerRefused: () => {},
  standing: () => 'up',
  clock,
  log: {
    info() {},
    warn(x: any, m: string) {
      console.log(m, x)
    },
  } as never,
})
const encoder = new TextEncoder()
function floor() {
  const parsed = JSON.parse(text)
  const all = Buffer.concat(
    pub.filter((m) => !m.key.startsWith('run:')).flatMap((m) => m.families.map((f: any) => f.lines)),
  )
  return parsed.result.validators.length + all.length
}
// The floor's loop: one string per family
function floorLoop() {
  const t0 = performance.now()
  const vs = JSON.parse(text).result.validators
  const t1 = performance.now()
  const parts = Array.from({ length: 6 }, () => '')
  let a = '',
    b = '',
    c = '',
    d = '',
    e = '',
    s = ''
  for (let i = 0; i < vs.length; i++) {
    const v = vs[i]
    const labels = `network="mainnet",subnet="primary",node_id="${v.nodeID}",validator="val-${i}",source="node-a"`
    a += `stakewatch_validator_connected{${labels}} ${v.connected ? 1 : 0}\n`
    b += `stakewatch_validator_uptime_ratio{${labels}} ${v.uptime / 100}\n`
    c += `stakewatch_validator_required_uptime_ratio{${labels}} 0.8\n`
    d += `stakewatch_validator_downtime_budget_seconds{${labels}} ${(v.endTime - v.startTime) * 0.2 - 1000 * i}\n`
    e += `stakewatch_validator_may_stop_seconds{${labels}} ${(v.endTime - v.startTime) * 0.2 - 1000 * i}\n`
    s += `stakewatch_validator_reward_state{${labels},state="safe"} 1\nstakewatch_validator_reward_state{${labels},state="at_risk"} 0\nstakewatch_validator_reward_state{${labels},state="lost"} 0\nstakewatch_validator_reward_state{${labels},state="x"} 0\n`
  }
  const buffer = Buffer.allocUnsafe(a.length + b.length + c.length + d.length + e.length + s.length)
  let at = 0
  for (const one of [a, b, c, d, e, s]) at += buffer.latin1Write(one, at)
  const t2 = performance.now()
  marks.fjson = (marks.fjson ?? 0) + t1 - t0
  marks.fwrite = (marks.fwrite ?? 0) + t2 - t1
}
const rounds = Number(process.argv[4] ?? 9)
const ours: number[] = [],
  fl: number[] = []
for (let r = 0; r < rounds; r++) {
  if (r === 3) for (const k in marks) marks[k] = 0
  bytes = 0
  series = 0
  pub = []
  const t = performance.now()
  for (const task of tasks) await runner.run(task, new AbortController().signal)
  const u = performance.now()
  floorLoop()
  const w = performance.now()
  if (r >= 3) {
    ours.push(u - t)
    fl.push(w - u)
  }
}
const med = (x: number[]) => x.toSorted((a, b) => a - b)[x.length >> 1]!
for (const k in marks) marks[k] = Math.round(marks[k]! / (rounds - 3))
console.log({ series, mb: bytes / 1e6, ours: med(ours), floor: med(fl), ratio: med(ours) / med(fl), ...marks })
