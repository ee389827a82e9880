import { expect, test } from 'vitest'
import { packed, unpacked } from '../../../src/config/file/packed.ts'
import { plan } from '../../../src/scheduler/plan.ts'
import { collectors } from '../../../src/collectors/index.ts'
import { example, loadAsExample } from '../../support/example.ts'

test('a configuration crosses to another thread as it is: the same tasks, and its secrets still print as nothing', () => {
  const config = loadAsExample(example)
  const other = unpacked(structuredClone(packed(config)))
  expect(JSON.stringify(other)).toBe(JSON.stringify(config))
  const [{ data_api: data }] = other.networks as [(typeof config.networks)[number]]
  expect([data!.key!.reveal(), String(data!.key), String(data!.url)]).toEqual(['the-key', '***', 'data.example'])
  // The fingerprint of a task changes with every setting, including secrets.
  const prints = [config, other].map((one) => plan(one, collectors).map(({ key, print }) => [key, print]))
  expect(prints[1]).toEqual(prints[0])
})
