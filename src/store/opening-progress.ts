/** How far the opening of a store has come: it may last for minutes, as the replay of a large log does. */

const MB = 1_000_000
/** Before so many seconds a rate says little. */
const RATE_SECONDS_MIN = 1

export interface OpeningProgress {
  /** The work in words, as "replaying the write-ahead log". */
  readonly work: string
  /** Bytes that are done, and bytes of all. */
  readonly bytes: number
  readonly bytesTotal: number
  /** Since the work has begun. */
  readonly seconds: number
}

/** The same with what follows from it, as /health/ready shows it. */
export interface ShownProgress {
  readonly work: string
  readonly percent: number
  readonly bytes: number
  readonly bytesTotal: number
  /** Not in the first second. */
  readonly bytesPerSecond?: number
  readonly secondsLeft?: number
}

export function shownProgress({ work, bytes, bytesTotal, seconds }: OpeningProgress): ShownProgress {
  const percent = bytesTotal === 0 ? 100 : Math.min(100, Math.floor((bytes / bytesTotal) * 100))
  const shown = { work, percent, bytes, bytesTotal }
  if (seconds < RATE_SECONDS_MIN || bytes === 0) return shown
  const rate = bytes / seconds
  const secondsLeft = Math.max(0, Math.ceil((bytesTotal - bytes) / rate))
  return { ...shown, bytesPerSecond: Math.round(rate), secondsLeft }
}

/** As "replaying the write-ahead log: 42 %, 310 of 744 MB, 65 MB/s, 7 s left". */
export function progressSentence(progress: OpeningProgress): string {
  const { work, percent, bytes, bytesTotal, bytesPerSecond, secondsLeft } = shownProgress(progress)
  const sentence = `${work}: ${percent} %, ${Math.floor(bytes / MB)} of ${Math.ceil(bytesTotal / MB)} MB`
  if (bytesPerSecond === undefined) return sentence
  return `${sentence}, ${(bytesPerSecond / MB).toFixed(bytesPerSecond < 10 * MB ? 1 : 0)} MB/s, ${secondsLeft} s left`
}
