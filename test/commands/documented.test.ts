// Every command that the runbooks and the documents show runs as it is written, against the simulated network.

import { readdirSync, readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { networkOfFile } from '../simulator/network.ts'
import { runCommand } from '../support/command.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pagesIn = (folder: string) =>
  readdirSync(new URL(folder, root)).flatMap((name) => (name.endsWith('.md') ? [`${folder}${name}`] : []))

// The commands have the clock of the machine, and correct it by the dates of the answers: the network is of today.
const network = await networkOfFile({ isCalm: true, epoch: Math.floor(Date.now() / 1_000) })
// The request limit of the services per minute.
beforeEach(() => void (network.clock.now += 60))

const [node] = network.nodes as [(typeof network.nodes)[number]]
const validator = [...network.world.validators.all.values()][2]!
const orchard = network.world.l1s.all.find(({ name }) => name === 'orchard')!

/** docs/configure.md says what each of them stands for. */
const placeholders: Readonly<Record<string, string>> = {
  NETWORK: 'fuji',
  SOURCE: 'node-a',
  NODE_ID: validator.nodeId,
  SUBNET_ID: orchard.subnetId,
  BLOCKCHAIN_ID: orchard.blockchainId,
  CHAIN_ID: '43113',
  VALIDATION_ID: orchard.validators[0]!.validationId,
  ADDRESS: `P-${validator.owner}`,
  EVM_ADDRESS: network.world.evmWallets.treasury,
  NODE_URL: node.url,
}

const files: Readonly<Record<string, string>> = {
  'stakewatch.yml': network.config([]).replace(/^collectors:[^]*/m, ''),
  'web.yml': 'rate_limit: { interval: 1s, burst: 10 }\n',
}

/** What runs until it is stopped is run by the end-to-end tests. */
const RUNS = /^(query|admin|check|once|init|alerts|catalogue|completion) /

/** Shell lines in blocks, and in runbooks code within a line as well. Redirections, comments and pipes are left to shells. */
function commandsIn(path: string): string[] {
  const text = read(path)
  const blocks = Array.from(text.matchAll(/```sh\n([^]*?)```/g), ([, lines]) =>
    lines!.replaceAll('\\\n', ' ').split('\n'),
  )
  const inline = path.startsWith('docs/runbooks/')
    ? Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!.replace(/\s+/g, ' '))
    : []
  return [...blocks.flat(), ...inline].flatMap((line) => {
    const [, words = ''] = /^(?:stakewatch|npm (?:run --silent )?start --) (.*)/.exec(line) ?? []
    const command = words.replace(/ +[#>|].*/, '').trim()
    return RUNS.test(`${command} `) ? [command] : []
  })
}

const shown = ['README.md', ...pagesIn('docs/'), ...pagesIn('docs/runbooks/')].flatMap((path) =>
  [...new Set(commandsIn(path))].map((command) => [path.replace('docs/runbooks/', ''), command] as const),
)

test('there are many', () => {
  expect(shown.filter(([path]) => path.startsWith('Stakewatch')).length).toBeGreaterThan(60)
  expect(shown.map(([path]) => path)).toContain('README.md')
})

test.each(shown)('%s: stakewatch %s', async (_, command) => {
  const filled = command
    .replace(/\b[A-Z]+(?:_[A-Z]+)*\b(?!-)/g, (word) => placeholders[word] ?? word)
    .replace('http://10.0.0.5:9650', node.url)
    .replace('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', validator.nodeId)
  const written: string[] = []
  const isInit = filled.startsWith('init ')
  const { code, stdout, stderr } = await runCommand(filled.split(/ +/), {
    readFile(path) {
      const text = isInit ? undefined : files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
    writeFile: (path) => written.push(path),
    confirm: () => Promise.resolve(true),
  })
  // Not everything is as expected in the simulated network: that check --live ends says enough.
  const hasRun = filled.includes('--live') ? stdout.endsWith(' expectations are met\n') : code === 0
  expect({ hasRun, stderr }).toMatchObject({ hasRun: true })
  expect(stderr).not.toMatch(/^error/m)
  expect(written).toEqual(isInit ? ['stakewatch.yml'] : [])
})
