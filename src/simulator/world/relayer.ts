// When the relayer of messages between chains was at work.

export interface Relayer {
  /** It forgets no message, and brings none an hour late. */
  isReliable: boolean
  stop(at: number): void
  start(at: number): void
  /** When it goes on with what it has at hand at a time: at once, when it is started again, or undefined while it is stopped. */
  worksFrom(time: number): number | undefined
  /** Seconds: so much it has held up a message at most. */
  longest(): number
}

export function createRelayer(isReliable: boolean): Relayer {
  const stops: { from: number; to: number | undefined }[] = []
  const running = () => stops.find(({ to }) => to === undefined)

  return {
    isReliable,
    stop(at) {
      if (!running()) stops.push({ from: at, to: undefined })
    },
    start(at) {
      const stop = running()
      if (stop) stop.to = at
    },
    worksFrom(time) {
      const stop = stops.find(({ from, to = Infinity }) => from <= time && time < to)
      return stop ? stop.to : time
    },
    longest: () => stops.reduce((most, { from, to = from }) => Math.max(most, to - from), 0),
  }
}
