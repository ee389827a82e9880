// What an upstream does not support: asked again once an hour, so that it costs nobody a request at every run.

import type { BaseError, ErrorCode } from '../errors.ts'
import { ageOf, type Clock, type Moment } from '../lib/clock.ts'
import type { Operation } from '../operations/define.ts'
import type { Source } from './source.ts'

export interface Absent {
  /** What the source does not support: got when it is asked, so that what it answers after it is forgotten tells nothing. */
  of(source: Pick<Source, 'network' | 'name'>): AbsentAt
  /** Under this name another upstream is asked from now on, or the same with another key, or none. */
  forget(source: Pick<Source, 'network' | 'name'>): void
}

interface AbsentAt {
  /** Why the upstream does not support what this asks for, if it said so within the last hour. */
  known(question: string): BaseError | undefined
  /** How a request ended. After a restart the source may have other settings: all is asked again. */
  note(question: string, error: BaseError, operation: Pick<Operation, 'notFoundLasts'>): void
}

const HOUR = 3_600_000
/** A source that did not answer may have been restarted, and one that is bootstrapping was. */
const MAY_CHANGE = new Set<ErrorCode>(['network', 'timeout', 'not_ready'])

interface Said {
  error: BaseError
  at: Moment
}

export function createAbsent({ now }: Pick<Clock, 'now'>): Absent {
  const bySource = new Map<string, AbsentAt>()
  const keyOf = ({ network, name }: Pick<Source, 'network' | 'name'>) => `${network}/${name}`

  function open(): AbsentAt {
    const questions = new Map<string, Said>()
    return {
      known(question) {
        const said = questions.get(question)
        if (!said) return undefined
        if (ageOf(said.at, now()) < HOUR) return said.error
        questions.delete(question)
        return undefined
      },
      note(question, error, { notFoundLasts }) {
        if (MAY_CHANGE.has(error.code)) questions.clear()
        if (error.code !== 'unsupported' && !(notFoundLasts && error.code === 'not_found')) return
        // The oldest stand first. Whoever asks for another block each time asks nothing twice.
        questions.delete(question)
        questions.set(question, { error, at: now() })
        for (const [other, { at }] of questions) {
          if (ageOf(at, now()) < HOUR) return
          questions.delete(other)
        }
      },
    }
  }

  return {
    of(source) {
      const key = keyOf(source)
      const one = bySource.get(key) ?? open()
      bySource.set(key, one)
      return one
    },
    forget: (source) => void bySource.delete(keyOf(source)),
  }
}
