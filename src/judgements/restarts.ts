// Whether a node has restarted since it was last seen, from what is seen of its process. One restart leaves several traces: it
// counts once.

export interface Sight {
  /** Which node answered: behind a load balancer there are several. */
  nodeId: string | undefined
  /** Its P-Chain is bootstrapped and its checks have run, which takes a while after each start. Undefined: unknown. */
  isReady: boolean | undefined
  /**
   * Milliseconds of the second at which it makes its health checks. A node makes them at a steady beat from its start, so
   * that another process has another one. Undefined: unknown.
   */
  beat: number | undefined
  /** Since the sight before, its machine refused a connection: no process listened. */
  wasRefused: boolean
}

/** What is known of the process that was seen last. */
export interface Life {
  nodeId?: string | undefined
  isReady: boolean
  /** The beat seen last, and in how many sights in a row. */
  beat?: number | undefined
  sights: number
  /** The beat of the process, once enough sights agreed. */
  steady?: number | undefined
}

/** A busy node is late by more from time to time (milliseconds); a restart shifts the beat by less in one of 100 cases. */
const TOLERANCE = 5
/** Sights that must agree on a beat. A busy node is not late by the same time so often in a row. */
const AGREEING = 3

export function judgeRestart(before: Life | undefined, sight: Sight): { life: Life; hasRestarted: boolean } {
  const { nodeId, beat, wasRefused } = sight
  if (!before || isAnother(before.nodeId, nodeId)) return { life: begin(sight), hasRestarted: false }
  const { isReady = before.isReady } = sight
  const isSameBeat = isNear(before.beat, beat)
  const sights = isSameBeat ? before.sights + 1 : beat === undefined ? before.sights : 1
  const agreed = isSameBeat && sights >= AGREEING ? beat : undefined
  const hasLivedOn = isSameBeat || isNear(before.steady, beat)
  const hasMoved = agreed !== undefined && before.steady !== undefined && !isNear(before.steady, agreed)
  if ((before.isReady && !isReady) || (wasRefused && !hasLivedOn)) {
    // What is left to see of this start is no other one.
    return { life: { ...begin(sight), isReady: false }, hasRestarted: true }
  }
  const life = { nodeId, isReady, beat: beat ?? before.beat, sights, steady: agreed ?? before.steady }
  return { life, hasRestarted: hasMoved }
}

function begin({ nodeId, isReady = false, beat }: Sight): Life {
  return { nodeId, isReady, beat, sights: beat === undefined ? 0 : 1 }
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

/** The beat of health checks: when the first of the last round began. A check that waits for a chain is late. */
export function beatOf(checks: readonly Check[]): number | undefined {
  const begun = checks.flatMap(({ timestamp, duration = 0 }) =>
    timestamp === undefined ? [] : [timestamp * 1_000 - duration / MILLISECOND],
  )
  const last = Math.max(...begun)
  return begun.length === 0 ? undefined : Math.round(Math.min(...begun.filter((at) => last - at < ROUND))) % 1_000
}

/** Checks of one round begin together (milliseconds). */
const ROUND = 500
