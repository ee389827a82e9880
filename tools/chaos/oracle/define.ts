// What the oracle sees and says.

/** What is wrong, in words. `rule` is one of a few, so that violations can be counted by it. */
export interface Violation {
  rule: Rule
  /** The series, task, upstream or page that it is about. */
  subject: string
  says: string
}

const rules = {
  exposition: 'a scrape is a valid exposition',
  counter: 'a counter only grows',
  old: 'nothing is published beyond its time to live',
  untrue: 'no value is published that the network did not hold within the time to live',
  missing: 'the data of a healthy upstream is there',
  late: 'the data of a healthy upstream is on time',
  success: 'collector_success is truthful',
  budget: 'the budget of requests is kept',
  requests: 'every request is counted',
  memory: 'memory is bounded',
  handles: 'handles are bounded',
  latency: 'a scrape is answered quickly',
  ready: '/-/ready is truthful',
  healthy: '/-/healthy is truthful',
  ended: 'the process does not end by itself',
} as const

export type Rule = keyof typeof rules

export interface Series {
  name: string
  /** The name without the suffix of a histogram's part. */
  base: string
  labels: Readonly<Record<string, string>>
  value: number
}
