import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { runCommand } from '../../support/command.ts'

const FILE = '/etc/stakewatch/config.yaml'

const BROKEN = `
networks:
  - name: production
    nodes: [{ name: node-a, url: "10.0.0.5:9650" }]
    data_api: { url: "https://data.example" }
collectors: { uptimes: {} }
`
const reportOn = (file: string) => `\
${file}:4:34: networks[0].nodes[0].url: expected a URL such as http://10.0.0.5:9650
${file}:5:15: networks[0].data_api.network: is missing: expected mainnet, fuji or testnet: the data service does not know this network by its name
${file}:6:15: collectors.uptimes: unknown key; did you mean uptime?`

/** Runs `stakewatch check` in a world of these files. */
function check(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
) {
  const readFile = (path: string) => {
    const text = files[path]
    if (text !== undefined) return text
    throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' })
  }
  return runCommand(['check', `--config.file=${FILE}`, ...flags], { env, readFile })
}

describe('check --shard', () => {
  const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    chains: [{ id: p-chain }, { id: x-chain }, { id: c-chain, evm_chain_id: 43113 }]
    data_api: { url: "https://data.example", budget: { per_minute: 900, per_day: 3000 } }
`
  const tasksIn = (stdout: string) => stdout.split('\n').filter((line) => / {2}every /.test(line))

  test('lists what falls to each shard, and holds it against its part of the budgets', async () => {
    const whole = await check({ [FILE]: yaml })
    const shards = await Promise.all(
      [0, 1, 2].map((ordinal) => check({ [FILE]: yaml }, { POD_NAME: `s-${ordinal}` }, '--shard=auto/3')),
    )
    expect(shards.flatMap(({ stdout }) => tasksIn(stdout)).toSorted()).toEqual(tasksIn(whole.stdout).toSorted())
    for (const [ordinal, { stdout, stderr }] of shards.entries()) {
      const [own, all] = [tasksIn(stdout).length, tasksIn(whole.stdout).length]
      expect(stdout).toContain(`valid, ${own} tasks for shard ${ordinal}/3 of ${all}, with 1/3 of each budget`)
      // What another shard does is not off.
      expect(stdout.match(/^\S+ {2}off/gm)).toEqual(whole.stdout.match(/^\S+ {2}off/gm))
      expect(stderr).not.toMatch(/budget of (?!1,000\b)/)
    }
    expect(whole.stderr).toContain('a day are more than the budget of 3,000')
    expect(shards.map(({ stderr }) => stderr).join('')).toContain('a day are more than the budget of 1,000')
  })

  test('says that nothing falls to a shard', async () => {
    const said = await Promise.all(
      Array.from({ length: 9 }, (_, ordinal) => check({ [FILE]: yaml }, {}, `--shard=${ordinal}/9`)),
    )
    const idle = said.filter(({ stdout }) => tasksIn(stdout).length === 0)
    expect(idle.length).toBeGreaterThanOrEqual(6)
    for (const { stderr } of idle)
      expect(stderr).toMatch(/^warning: nothing falls to shard \d\/9: fewer shards will do$/m)
  })
})

describe('check', () => {
  test('lists the tasks, and shows no secret', async () => {
    const yaml = `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://user:MARKER@10.0.0.5:9650/MARKER" }
      - { name: node-b, url_file: secrets/node-b }
    data_api: { url: "https://data.example/?key=MARKER", key_file: /run/key, key_header: x-key }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
    chains: [{ id: p-chain, name: p }]
collectors: { supply: { every: 10m } }
`
    const files = {
      [FILE]: yaml,
      // Relative to the configuration file, wherever the command is run.
      '/etc/stakewatch/secrets/node-b': 'http://10.0.1.5:9650/MARKER\n',
      '/run/key': 'MARKER\n',
    }
    const { code, stdout, stderr } = await check(files)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^supply\/fuji\/primary {2}every 600 s {2}asks node-a, node-b/),
        expect.stringMatching(/^supply\/fuji\/my-l1 {2}every 600 s {2}asks node-a, node-b/),
        'primary-blocks/fuji/p  every 30 s  asks data-api',
        // One line for all of them.
        expect.stringMatching(/^nothing is configured for (\w[\w-]*, )+uptime\b/),
      ]),
    )
    const tasks = lines.filter((line) => line.includes('  asks ')).length
    expect(lines[0]).toBe(`${FILE}: valid, ${tasks} tasks`)
    expect(stdout).not.toContain('MARKER')
  })

  test('says what a unit is', async () => {
    const yaml =
      'networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }], chains: [{ id: p-chain }] }]'
    const { stdout } = await check({ [FILE]: yaml })
    const [said, ...again] = stdout.split('\n').filter((line) => line.startsWith('('))
    expect(again).toEqual([])
    const costs = new Set(operations.filter(({ service }) => service !== 'node').map(({ cost }) => cost))
    expect(said!.match(/\d+/g)).toEqual(
      [...costs]
        .filter((cost) => cost > 1)
        .toSorted((a, b) => a - b)
        .map(String),
    )
    expect(operations.filter(({ service, cost }) => service === 'node' && cost !== 1)).toEqual([])
  })

  test('warns of what will not do, and says what is off and why', async () => {
    const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    data_api: { url: "https://data.example", budget: { per_day: 1 } }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof }]
    chains: [{ id: p-chain }]
collectors: { supply: { max_series: 1 }, blockchain-status: { enabled: false } }
`
    const { code, stdout, stderr } = await check({ [FILE]: yaml })
    expect(code).toBe(0)
    expect(stdout.split('\n')).toContain('blockchain-status  off: disabled')
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^warning: fuji\/data-api: .* units a day are more than the budget of 1;/),
      // At least one of the primary network and one of the L1.
      expect.stringMatching(
        /^warning: supply: about [2-9] series are more than the 1 that it may have; raise collectors\.supply\.max_series,/,
      ),
      '',
    ])
  })

  test.each([
    ['every: 5m', 'every', 'every: 1h #'],
    ['schedule: "*/5 * * * *"', 'schedule', 'every: 1h #'],
    ['every: 2h', undefined, 'every: 2h #'],
    ['schedule: "0 * * * *"', undefined, 'schedule: 0 * * * * #'],
  ])('says that what makes validators work runs once an hour at most: %s', async (setting, key, effective) => {
    const yaml = `networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }] }]
collectors: { signature-probe: { enabled: true, ${setting} } }
`
    const { stderr } = await check({ [FILE]: yaml })
    const warning = `warning: signature-probe: it makes validators work, so it runs once an hour at most; correct collectors.signature-probe.${key}\n`
    expect(stderr).toBe(key === undefined ? '' : warning)
    const { stdout } = await check({ [FILE]: yaml }, {}, '--explain')
    expect(stdout.slice(stdout.indexOf('  signature-probe:\n'))).toContain(effective)
  })

  const OWN = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const OTHER = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
  const own = `{ name: a, url: "http://10.0.0.5:9650", node_id: ${OWN} }`
  const UNKNOWN = 'its uptime, connection and reward stay unknown until another node is listed under nodes'
  const unseen = (why: string) => `fuji/mine: no other node observes this validator: ${why}; ${UNKNOWN}`
  test.each([
    [
      'the only node is the validator itself',
      `nodes: [${own}], validators: [{ node_id: ${OWN}, name: mine }, { node_id: ${OTHER} }]`,
      [
        `fuji/mine: no other node observes this validator: the only node is the validator itself, whose own view is no evidence; ${UNKNOWN}`,
      ],
    ],
    [
      'there is no node',
      `validators: [{ node_id: ${OWN}, name: mine }]`,
      [
        'fuji: nothing is polled: add a node under nodes or a data_api, or remove the network',
        unseen('no node is configured'),
      ],
    ],
    [
      'one node has two names',
      'nodes: [{ name: a, url: "http://10.0.0.5:9650" }, { name: b, url: "http://10.0.0.6:9650" }, { name: c, url: "HTTP://10.0.0.5:9650/" }]',
      ['fuji/c: has the url of a, so that one opinion counts as two: correct it, or remove one of them'],
    ],
    [
      'there is no node for a public validator',
      `data_api: { url: "https://data.example" }, validators: [{ node_id: ${OWN}, name: mine }]`,
      [
        unseen('no node is configured'),
        'fuji/mine: the public page shows it as unknown, because no node is asked for its stake: list a node, and leave the collector validators on',
      ],
      'public: { validators: [{ validator: mine }] }',
    ],
    [
      'another node observes',
      `nodes: [${own}, { name: b, url: "http://10.0.1.5:9650" }], validators: [{ node_id: ${OWN} }]`,
      [],
    ],
    [
      'a validator of an L1 whose uptime no node reports',
      `nodes: [${own}], subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: l1 }], validators: [{ node_id: ${OWN}, subnet: l1 }]`,
      [],
    ],
    [
      'a balance whose collector is turned off',
      `nodes: [${own}], addresses: [{ name: w, addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66], min_balance: 5 }]`,
      ['fuji/w min_balance: no configured source can check this'],
      'collectors: { node-balances: { enabled: false } }',
    ],
  ])('warns of what stays unknown: %s', async (_, keys, warnings, more = '') => {
    const { code, stderr } = await check({ [FILE]: `networks: [{ name: fuji, ${keys} }]\n${more}` })
    expect(code).toBe(0)
    expect(stderr).toBe(warnings.map((one) => `warning: ${one}\n`).join(''))
  })

  test('reports every problem of a wrong file at once, and nothing else', async () => {
    expect(await check({ [FILE]: BROKEN })).toMatchObject({ code: 1, stdout: '', stderr: reportOn(FILE) })
  })
})

describe('a long file', () => {
  const config = 'networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }] }]\n'
  const comments = `# ${'long '.repeat(20)}\n`.repeat(12_000)
  const checked = (text: string) => runCommand(['check', '--config.file=stakewatch.yml'], { readFile: () => text })

  test.each([
    ['a valid one', `${config}${comments}`, 0],
    ['a broken one', `${config}${comments}networks: {}\n`, 1],
  ])('has a progress bar that goes away: %s', async (_, text, code) => {
    const { progress, ...seen } = await checked(text)
    expect(seen.code).toBe(code)
    const shares = progress.slice(0, -1).map((bar) => Number(/\] +(\d+) % {2}of stakewatch\.yml$/.exec(bar)?.[1]))
    expect(shares.length).toBeGreaterThan(50)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeLessThan(100)
    expect(progress.at(-1)).toBe('')
  })

  test('a short one has none', async () => {
    expect((await checked(config)).progress).toEqual([])
  })
})
