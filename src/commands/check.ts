// check: is the configuration right, and what will it do?

import type { Command } from 'commander'
import { collectors } from '../collectors/index.ts'
import { plan } from '../scheduler/plan.ts'
import { readConfig } from './config.ts'
import { configFlag, type Io } from './io.ts'

export function check(program: Command, io: Io): void {
  const command = program.command('check').description('validate the configuration and list the tasks')
  configFlag(command).action((flags: { 'config.file': string }) => {
    const config = readConfig(flags['config.file'], io)
    const tasks = plan(config, collectors)
    for (const { key, settings, sources } of tasks) {
      const asked = sources.map(({ name }) => name).join(', ')
      io.stdout(`${key}  every ${settings.every / 1_000} s  asks ${asked}\n`)
    }
    const busy = new Set(tasks.map(({ collector }) => collector.name))
    for (const { name } of collectors.filter((one) => !busy.has(one.name))) {
      io.stdout(`${name}  off: disabled, or nothing configured for it\n`)
    }
    io.stdout(`${flags['config.file']}: valid, ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}\n`)
  })
}
