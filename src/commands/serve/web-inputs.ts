// What the HTTP side is given: its configuration file, and sockets that systemd opened.

import { dirname, resolve } from 'node:path'
import { loadWebConfig } from '../../config/web/web-config.ts'
import { BaseError } from '../../errors.ts'
import type { WebSource } from '../../server/web-config-reload.ts'
import type { Io } from '../io.ts'
import { watchedFile } from './watched-files.ts'

/** Undefined without a file: then the HTTP server is open to everyone. */
export function webSourceOf(
  file: string | undefined,
  { env, readFile }: Pick<Io, 'env' | 'readFile'>,
): WebSource | undefined {
  if (file === undefined || file === '') return undefined
  const readBeside = (read: Io['readFile']) => (path: string) => read(resolve(dirname(file), path))
  return watchedFile(file, {
    readFile,
    parse: (yaml, read) => loadWebConfig(yaml, { file, env, readFile: readBeside(read) }),
  })
}

const SYSTEMD_FLAG = '--web.systemd-socket'

/** The number of the first one; the others follow. */
const FIRST = 3

/** Throws a BaseError with code `config` when there is none for this process. */
export function systemdSockets({ env, pid }: Pick<Io, 'env' | 'pid'>): { fd: number }[] {
  const { LISTEN_FDS: count = '', LISTEN_PID: owner = '' } = env
  if (!/^[1-9]\d{0,3}$/.test(count)) {
    throw new BaseError('config', `${SYSTEMD_FLAG}: systemd passed no socket: start the .socket unit of the service`)
  }
  if (owner !== String(pid)) {
    const message = `${SYSTEMD_FLAG}: the sockets are for another process: start stakewatch in ExecStart without a wrapper`
    throw new BaseError('config', message)
  }
  return Array.from({ length: Number(count) }, (_, at) => ({ fd: FIRST + at }))
}
