// watch: from flags to a daemon, without a file.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import { networkOfTest } from '../../simulator/network.ts'
import { bareNode } from '../../support/bare-server.ts'
import { runCommand } from '../../support/command.ts'

const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const WALLET = 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'

/** Runs it, and asks it to end after what is done once it has printed this: by default, where its metrics are. */
async function watch(
  flags: readonly string[],
  meanwhile: (found: string) => Promise<void>,
  printed = /metrics: (\S+)/,
) {
  const stopped = Promise.withResolvers<void>()
  let stdout = ''
  const ended = await runCommand(['watch', '--web.listen-address=127.0.0.1:0', ...flags], {
    stdout(text) {
      stdout += text
      const [, found] = printed.exec(text) ?? []
      if (found !== undefined) void meanwhile(found).then(stopped.resolve, stopped.reject)
    },
    stopped: stopped.promise,
    // The daemon's thread needs the time.
    sleep: () => sleep(500),
  })
  return { ...ended, stdout }
}

test('serves what the flags name, of the node that they name', async () => {
  const asked = Promise.withResolvers<unknown>()
  const { url } = await bareNode((method, params) => {
    const { nodeIDs } = Object(params) as { nodeIDs?: unknown }
    if (method === 'platform.getCurrentValidators' && nodeIDs !== undefined) asked.resolve(nodeIDs)
    return { result: '{"validators":[]}' }
  })
  let answered = 0
  const flags = ['--preset=local', `--node-url=${url}`, `--validator=${NODE}`, `--wallet=${WALLET}`, `--l1=${SUBNET}`]
  const ended = await watch([...flags, '--web.telemetry-path=/here', '--log.level=error'], async (metrics) => {
    answered = (await fetch(metrics)).status
    expect(await asked.promise).toEqual([NODE])
  })
  expect({ ...ended, answered }).toMatchObject({
    code: 0,
    answered: 200,
    stdout: expect.stringMatching(
      /^stakewatch watches the network local: 1 validator, 1 L1, 1 wallet\.\n {2}open: {4}http:\/\/127\.0\.0\.1:\d+\/\n {2}metrics: http:\/\/127\.0\.0\.1:\d+\/here\n {2}stakewatch init /,
    ) as string,
  })
})

test('says after the first round what it did not find, with a remedy, and goes on', async () => {
  const network = await networkOfTest({ isCalm: true })
  const there = [...network.world.validators.all.keys()][2]!
  const flags = [`--node-url=${network.nodes[0]!.url}`, `--validator=${there}`, `--validator=${NODE}`]
  const { code, stdout } = await watch(
    ['--preset=local', ...flags, '--log.level=error'],
    () => Promise.resolve(),
    /(\d+ ok, \d+ problems?, \d+ unknown)/,
  )
  expect(code).toBe(0)
  const [, said = ''] = stdout.split('for more.\n')
  const lines = said.split('\n').map((line) => line.replace(/ +/g, ' ').trim())
  const at = lines.indexOf(`problem validator local/primary/${NODE} not in the set of primary: is its node_id right?`)
  expect(lines[at + 1]).toMatch(/^-> NodeID-\w{4}… not in the validator set\. Stake NodeID-\w+ again, or take it out/)
  expect(said).not.toContain(there)
})

test.each([
  ['no subject', ['--preset=fuji'], 'error: there is nothing to watch: give --validator, --l1, --wallet or --node-url'],
  ['no preset', [`--validator=${NODE}`], 'error: --preset is missing: say which network it is, mainnet, fuji or local'],
  [
    'a network that does not exist',
    ['--preset=main'],
    "error: option '--preset <network>' argument 'main' is invalid. Allowed choices are mainnet, fuji, local.",
  ],
  [
    'a node id that is none',
    ['--preset=fuji', '--validator=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lh'],
    "error: option '--validator <node id>' argument 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lh' is invalid. Expected a node id such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg: its checksum is wrong",
  ],
  [
    'an address that is not the base',
    ['--preset=fuji', '--node-url=http://10.0.0.5:9650/ext/bc/P'],
    'Expected the base address, without /ext.',
  ],
  [
    'a wallet of another network',
    ['--preset=fuji', '--wallet=P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'],
    '--wallet: is an address of mainnet, and this network is fuji: expected fuji1... or P-fuji1...',
  ],
  [
    'a wallet without a source',
    ['--preset=local', '--wallet=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    '--wallet: balances of 0x addresses need a data service: give --preset=mainnet or fuji, other presets have none',
  ],
  [
    'the primary network as an L1',
    ['--preset=fuji', `--l1=${PRIMARY_NETWORK_ID}`],
    '--l1: is the primary network, which is always watched: remove it',
  ],
])('%s is refused in terms of the flags', async (_, flags, words) => {
  const { code, stdout, stderr } = await watch(flags, () => Promise.reject(new Error('it starts')))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(words)
})
