// Reloads the configuration: all of it or nothing, one reload at a time.

import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Reloaded } from './poller.ts'

/** Triggers. */
export const OVER_HTTP = 'HTTP'
export const ON_CHANGE = 'change of a file'

/** Returns the configuration for a trigger. */
export type Load = (trigger: string) => Config | Promise<Config>

export interface ReloadOptions {
  /** Reads the configuration. Throws BaseError when it is invalid. Left out where there is no file. */
  load?: Load | undefined
  /** Polls this configuration. Returns nothing where the poller is about to start with it. */
  poll: (config: Config) => Reloaded | Promise<Reloaded | undefined>
  /** Serves this configuration. */
  loaded: (config: Config) => Promise<void>
  refused: () => Promise<void>
  log: Logger
}

/**
 * Returns a sentence that says what changed. Throws BaseError when the configuration is invalid, and keeps the previous one.
 * Calls during a reload share the next one, which reads the file again.
 */
export type Reload = (trigger: string) => Promise<string>

export function createReload({ load, poll, loaded, refused, log }: ReloadOptions): Reload {
  let underWay: Promise<unknown> = Promise.resolve()
  let waiting: Promise<string> | undefined

  async function refuse(trigger: string, error: BaseError): Promise<never> {
    log.warn({ trigger, error: error.message }, 'configuration rejected, keeping the previous one')
    await refused()
    throw error
  }

  async function reload(trigger: string): Promise<string> {
    let config: Config
    try {
      if (!load) throw new BaseError('config', 'there is no configuration file to reload')
      config = await load(trigger)
    } catch (thrown) {
      // Errors of the platform may quote the file.
      const isOurs = thrown instanceof BaseError
      return refuse(
        trigger,
        isOurs ? thrown : new BaseError('bug', 'the file was not read because of a defect in stakewatch'),
      )
    }
    const done = await poll(config)
    await loaded(config)
    log.info({ trigger, ...done }, 'configuration reloaded')
    return inWords(done)
  }

  return async (trigger) => {
    waiting ??= underWay.then(async () => {
      waiting = undefined
      const begun = reload(trigger)
      underWay = begun.catch(() => {})
      return begun
    })
    return waiting
  }
}

function inWords(done: Reloaded | undefined): string {
  if (!done) return 'The configuration is reloaded: the poller is about to start with it.'
  const { kept, restarted, added, removed } = done
  return `The configuration is reloaded. Tasks: ${kept} unchanged, ${restarted} restarted, ${added} added, ${removed} removed.`
}
