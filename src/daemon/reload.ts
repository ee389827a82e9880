// Reloading the configuration: all of it or nothing, and one reload after the other.

import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Reloaded } from './poller.ts'

/** Triggers. */
export const OVER_HTTP = 'HTTP'
export const ON_CHANGE = 'change of a file'

/** Gives the configuration for a trigger. */
export type Load = (trigger: string) => Config

export interface ReloadOptions {
  /** Reads the configuration. Throws BaseError when it is refused. Left out where there is no file. */
  load?: Load | undefined
  /** From now on this is polled. Gives nothing where what polls is about to begin with it. */
  poll: (config: Config) => Reloaded | Promise<Reloaded | undefined>
  /** From now on this is served. */
  loaded: (config: Config) => Promise<void>
  refused: () => Promise<void>
  log: Logger
}

/**
 * Gives what was done, in a sentence. Throws BaseError when the configuration is refused: then the one before stays. Whoever
 * comes while a reload is under way waits for one that reads the file again, together with others who wait.
 */
export type Reload = (trigger: string) => Promise<string>

export function createReload({ load, poll, loaded, refused, log }: ReloadOptions): Reload {
  let underWay: Promise<unknown> = Promise.resolve()
  let waiting: Promise<string> | undefined

  async function refuse(trigger: string, error: BaseError): Promise<never> {
    log.warn({ trigger, error: error.message }, 'the configuration is refused: the one before stays')
    await refused()
    throw error
  }

  async function reload(trigger: string): Promise<string> {
    let config: Config
    try {
      if (!load) throw new BaseError('config', 'there is no configuration file that could be read again')
      config = load(trigger)
    } catch (thrown) {
      // Errors of the platform may quote what they failed on.
      const isOurs = thrown instanceof BaseError
      return refuse(
        trigger,
        isOurs ? thrown : new BaseError('bug', 'a defect of stakewatch keeps it from reading the file'),
      )
    }
    const done = await poll(config)
    await loaded(config)
    log.info({ trigger, ...done }, 'the configuration is reloaded')
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
  if (!done) return 'The configuration is reloaded: polling is about to begin with it.'
  const { kept, restarted, added, removed } = done
  return `The configuration is reloaded. Tasks: ${kept} go on, ${restarted} begin anew, ${added} are new, ${removed} are gone.`
}
