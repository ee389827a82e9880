// The sockets that systemd opens for a service (sd_listen_fds(3)).

import { BaseError } from '../../errors.ts'
import type { Io } from '../io.ts'

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
