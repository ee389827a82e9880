import { execFileSync } from 'node:child_process'
import { startDaemon } from './daemons.ts'
import { COLLECTORS, SERIES_EACH } from './scrapes.ts'
const { url, daemon, end } = await startDaemon({
  validators: 20000,
  collectors: COLLECTORS,
  every: '5s',
  cores: { node: 1 },
  series: 20000 * SERIES_EACH,
})
execFileSync('taskset', ['-c', '1', process.execPath, 'tools/bench/serving/zz-client.ts', url, '5'])
await daemon.ask('watchDelay')
console.log(
  execFileSync('taskset', [
    '-c',
    '1',
    process.execPath,
    'tools/bench/serving/zz-client.ts',
    url,
    process.argv[2]!,
  ]).toString(),
)
console.log(await daemon.ask('delay'))
await end()
