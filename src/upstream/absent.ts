// What an upstream does not support: asked again once an hour, so that it costs nobody a request at every run.

import type { BaseError } from '../errors.ts'
import { ageOf, type Clock, type Moment } from '../lib/clock.ts'
import type { Operation } from '../operations/define.ts'
import type { Source } from './source.ts'

export interface Absent {
  /** Why the upstream does not support what this asks for, if it said so within the last hour. */
  known(source: Source, question: string): BaseError | undefined
  /** Under this name another upstream is asked from now on, or the same with another key, or none. */
  forget(source: Pick<Source, 'network' | 'name'>): void
  /** How a request ended. A source that did not answer may have been restarted with other settings: all is asked again. */
  note(source: Source, question: string, error: BaseError, operation: Pick<Operation, 'notFoundLasts'>): void
}

const HOUR = 3_600_000

interface Said {
  error: BaseError
  at: Moment
}

export function createAbsent({ now }: Pick<Clock, 'now'>): Absent {
  const bySource = new Map<string, Map<string, Said>>()
  const keyOf = ({ network, name }: Pick<Source, 'network' | 'name'>) => `${network}/${name}`
  return {
    known(source, question) {
      const questions = bySource.get(keyOf(source))
      const said = questions?.get(question)
      if (!said) return undefined
      if (ageOf(said.at, now()) < HOUR) return said.error
      questions!.delete(question)
      return undefined
    },
    forget: (source) => void bySource.delete(keyOf(source)),
    note(source, question, error, { notFoundLasts }) {
      const key = keyOf(source)
      if (error.code === 'network' || error.code === 'timeout') bySource.delete(key)
      if (error.code !== 'unsupported' && !(notFoundLasts && error.code === 'not_found')) return
      const questions = bySource.get(key) ?? new Map<string, Said>()
      bySource.set(key, questions)
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
