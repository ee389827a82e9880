// What all scenarios have in common: something runs, a plan disturbs it, and judges look at what it serves.

/** What is wrong, in words. `rule` is one of a few, so that violations can be counted by it. */
export interface Violation {
  rule: string
  /** The series, page or process that it is about. */
  subject: string
  says: string
}

/** What runs. Times are milliseconds since its beginning. */
interface Stage<Seen> {
  now(): number
  /** Lets a little time pass. */
  step(): Promise<void>
  /** What it serves now; undefined while it serves nothing. */
  look(): Promise<Seen | undefined>
  end(): Promise<void>
}

export interface Disturbance {
  at: number
  name: string
  happen(): unknown
}

export interface Judge<Seen> {
  see(seen: Seen, now: number): readonly Violation[] | Promise<readonly Violation[]>
  /** Once all is over, and before the stage ends. */
  atLast?(): readonly Violation[] | Promise<readonly Violation[]>
}

export interface Scenario<Seen> {
  stage: Stage<Seen>
  disturbances: readonly Disturbance[]
  judges: readonly Judge<Seen>[]
  until: number
  /** From one look to the next. */
  every: number
  /** What it came to, for the last line. */
  figures: () => object
}

export interface Outcome {
  violations: number
  byRule: Readonly<Record<string, number>>
  looks: number
  happened: Readonly<Record<string, number>>
  figures: object
}

/** Violations of one kind that are said one by one. */
const SAID = 3

export async function play<Seen>(scenario: Scenario<Seen>, say: (line: string) => void): Promise<Outcome> {
  const { stage, judges, until, every, figures } = scenario
  const plan = scenario.disturbances.toSorted((a, b) => a.at - b.at)
  const happened: Record<string, number> = {}
  const byRule: Record<string, number> = {}
  const kinds = new Map<string, number>()
  let [looks, last] = [0, 'the beginning']

  function note({ rule, subject, says }: Violation): void {
    byRule[rule] = (byRule[rule] ?? 0) + 1
    const kind = `${rule} ${/^[\w ]*/.exec(subject)?.[0]}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (kinds.get(kind)! > SAID) return
    say(`violation: ${rule}: ${subject.slice(0, 300)} ${says}\n  second ${secondsOf(stage.now())}, after ${last}`)
  }

  try {
    for (let due = stage.now(); stage.now() < until;) {
      for (let next = plan[0]; next && next.at <= stage.now(); next = plan[0]) {
        plan.shift()
        last = `${next.name} at ${secondsOf(next.at)}`
        happened[next.name] = (happened[next.name] ?? 0) + 1
        await next.happen()
      }
      await stage.step()
      if (stage.now() < due) continue
      due = stage.now() + every
      const seen = await stage.look()
      if (seen === undefined) continue
      looks += 1
      for (const judge of judges) for (const one of await judge.see(seen, stage.now())) note(one)
    }
    for (const judge of judges) for (const one of (await judge.atLast?.()) ?? []) note(one)
  } finally {
    await stage.end()
  }
  const violations = Object.values(byRule).reduce((sum, count) => sum + count, 0)
  return { violations, byRule, looks, happened, figures: figures() }
}

const secondsOf = (milliseconds: number) => Math.round(milliseconds / 1_000)
