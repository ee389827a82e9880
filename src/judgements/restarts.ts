// Whether a node has restarted since it was last seen, from what is seen of its process. One restart leaves several traces: it
// counts once.

export interface Sight {
  /** Which node answered: behind a load balancer there are several. */
  nodeId: string | undefined
  /** Its P-Chain is bootstrapped and its checks have run, which takes a while after each start. Undefined: unknown. */
  isReady: boolean | undefined
  round: Round
  /** When its machine refused a connection, since the sight before: no process listened. Milliseconds since the epoch. */
  refusedAt: number | undefined
}

/** The last round of its health checks; empty where it is unknown. */
export interface Round {
  /** Milliseconds since the epoch, by the clock of the node. */
  at?: number
  /**
   * Milliseconds of the second at which it began. A node makes its checks at a steady beat from its start, so that another
   * process has another one.
   */
  beat?: number
}

/** What is known of the process that was seen last. */
export interface Life {
  nodeId?: string | undefined
  isReady: boolean
  /** The beat seen last, and in how many rounds in a row. */
  beat?: number | undefined
  sights: number
  /** When the last round was seen to be: several sights of one round are one. */
  at?: number | undefined
  /** The beat of the process, once enough rounds agreed. */
  steady?: number | undefined
}

/** A busy node is late by more from time to time (milliseconds); a restart shifts the beat by less in one of 100 cases. */
const TOLERANCE = 5
/** Rounds that must agree on a beat. A busy node is not late by the same time so often in a row. */
const AGREEING = 3

export function judgeRestart(before: Life | undefined, sight: Sight): { life: Life; hasRestarted: boolean } {
  const { nodeId, refusedAt, round } = sight
  const { beat, at = before?.at } = round
  if (!before || isAnother(before.nodeId, nodeId)) return { life: begin(sight), hasRestarted: false }
  const { isReady = before.isReady } = sight
  const isSameBeat = isNear(before.beat, beat)
  const isSameRound = round.at !== undefined && round.at === before.at
  const sights = isSameRound || beat === undefined ? before.sights : isSameBeat ? before.sights + 1 : 1
  const agreed = isSameBeat && sights >= AGREEING ? beat : undefined
  const hasMoved = agreed !== undefined && before.steady !== undefined && !isNear(before.steady, agreed)
  if ((before.isReady && !isReady) || (refusedAt !== undefined && !hasLivedOn(before, round, refusedAt))) {
    // What is left to see of this start is no other one.
    return { life: { ...begin(sight), isReady: false }, hasRestarted: true }
  }
  const life = { nodeId, isReady, beat: beat ?? before.beat, sights, at, steady: agreed ?? before.steady }
  return { life, hasRestarted: hasMoved }
}

/** The process still has a beat that it had, or, without one, a check that it made before. */
function hasLivedOn({ beat, steady }: Life, round: Round, refusedAt: number): boolean {
  if (beat !== undefined && round.beat !== undefined) return isNear(beat, round.beat) || isNear(steady, round.beat)
  return round.at !== undefined && round.at < refusedAt
}

function begin({ nodeId, isReady = false, round: { beat, at } }: Sight): Life {
  return { nodeId, isReady, beat, sights: beat === undefined ? 0 : 1, at }
}

function isAnother(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}

/** The beat is within a second, which has no end: 999 is next to 0. */
function isNear(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const apart = Math.abs(one - other)
  return Math.min(apart, 1_000 - apart) <= TOLERANCE
}

const MILLISECOND = 1_000_000

interface Check {
  /** Seconds; undefined before its first run. */
  timestamp?: number | undefined
  /** Nanoseconds. */
  duration?: number | undefined
}

/** A check that waits for a chain is late: the first of the last round shows the beat. Some clocks have no parts of a second. */
export function roundOf(checks: readonly Check[]): Round {
  const made = checks.filter((check): check is Check & { timestamp: number } => check.timestamp !== undefined)
  if (made.length === 0) return {}
  const begun = made.map(({ timestamp, duration = 0 }) => timestamp * 1_000 - duration / MILLISECOND)
  const last = Math.max(...begun)
  const at = Math.max(...made.map(({ timestamp }) => Math.round(timestamp * 1_000)))
  if (made.every(({ timestamp }) => Number.isInteger(timestamp))) return { at }
  return { at, beat: Math.round(Math.min(...begun.filter((one) => last - one < ROUND))) % 1_000 }
}

/** Checks of one round begin together (milliseconds). */
const ROUND = 500
