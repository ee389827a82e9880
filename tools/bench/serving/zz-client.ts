import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
const [, , url, count] = process.argv as [string, string, string, string]
const agent = new Agent({ keepAlive: true })
const one = (due: number) =>
  new Promise<string>((resolve) => {
    const started = performance.now()
    let first = 0
    let n = 0
    get(url, { agent, headers: { 'accept-encoding': 'gzip' } }, (r) => {
      first = performance.now()
      r.on('data', (d) => (n += d.length))
      r.on('end', () => {
        const e = performance.now()
        resolve(
          `${(e - due).toFixed(0).padStart(5)} = head ${(first - started).toFixed(0)} + body ${(e - first).toFixed(0)} ${n}`,
        )
      })
    })
  })
for (let i = 0; i < 5; i++) await one(performance.now())
const begun = performance.now()
const all: string[] = []
for (let i = 0; i < Number(count); i++) {
  const due = begun + i * 1000
  await wait(Math.max(0, due - performance.now()))
  all.push(await one(Math.max(due, performance.now())))
}
console.log(
  all
    .sort((a, b) => parseInt(b) - parseInt(a))
    .slice(0, 14)
    .join('\n'),
  '\n',
  all.length,
)
process.exit()
