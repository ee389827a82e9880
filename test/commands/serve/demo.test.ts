// demo: the simulated network and its daemon in one.

import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.ts'

test('the folder is that of the nodes: what is counted of a network that is begins again is not kept', async () => {
  const stopped = Promise.withResolvers<void>()
  let metrics = ''
  const look = async (url: string) => void (metrics = await (await fetch(url)).text())
  const flags = ['--storage.path=/data/sim', '--web.listen-address=127.0.0.1:0', '--speed=0']
  const ended = await runCommand(['demo', ...flags], {
    stdout(text) {
      const [, url] = /metrics: +(\S+)/.exec(text) ?? []
      if (url !== undefined) void look(url).then(stopped.resolve, stopped.reject)
    },
    stopped: stopped.promise,
  })
  expect(ended).toMatchObject({ code: 0 })
  expect(metrics).toContain('stakewatch_build_info')
  expect(metrics).not.toContain('stakewatch_storage_up')
})
