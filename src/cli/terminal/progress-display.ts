/**
 * The progress of a long command on stderr: on a terminal one line in place, in a log a line now and then, for programs an object a line, or nothing.
 * The display asks the task for its state when it has something to show.
 */

import {
  cutTo,
  fractionOf,
  type Pace,
  pacedAmount,
  progressLine,
  progressObject,
  type Step,
  stepObject,
  stepText,
} from './progress-text.ts'

export type DisplayStyle = 'line' | 'log' | 'json' | 'quiet'

export interface DisplayParts {
  readonly write: (text: string) => void
  /** Of the terminal. */
  readonly columns: () => number
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
}

export interface CommandFacts {
  /** As the user has given it: `backup create`. */
  readonly command: string
  readonly style: DisplayStyle
  /** The way on after Ctrl-C, as a sentence. */
  readonly advice: (steps: readonly Step[]) => string
}

const LOG_EVERY_MS = 5000
const JSON_EVERY_MS = 1000
/** The span of time of which the speed is shown. */
const PACE_MS = 10_000
/** Tasks that the message of an interruption names. */
const NAMED_MAX = 5

/** Returns to the beginning of the line, and erases it. */
const ERASE = '\r\x1b[K'

interface Watched {
  readonly step: () => Step
  readonly begunMs: number
  readonly begunFraction: number
  /** Times and amounts of the last seconds. */
  readonly samples: { readonly ms: number; readonly done: number }[]
}

export class ProgressDisplay {
  readonly #parts: DisplayParts
  #facts: CommandFacts | undefined
  #style: DisplayStyle
  #watched: Watched | undefined
  /** Of tasks that have ended. */
  readonly #ended: Step[] = []
  readonly #troubles = new Map<string, string>()
  #isShown = false
  /** True once a signal has ended the command: its message stays the last. */
  #isOver = false
  #printedMs: number

  constructor(style: 'line' | 'log', parts: DisplayParts) {
    this.#style = style
    this.#parts = parts
    this.#printedMs = parts.now()
  }

  /** True where the line stands in place. */
  get isInPlace(): boolean {
    return this.#style === 'line'
  }

  get isWatching(): boolean {
    return this.#watched !== undefined
  }

  begin(facts: CommandFacts): void {
    this.#facts = facts
    this.#style = facts.style
    this.#printedMs = this.#parts.now()
  }

  /** Shows the progress of a task until the returned function is called. */
  watch(step: () => Step): () => void {
    const now = this.#parts.now()
    const first = step()
    const samples = [{ ms: now, done: pacedAmount(first)?.done ?? 0 }]
    const watched = { step, begunMs: now, begunFraction: fractionOf(first) ?? 0, samples }
    this.#watched = watched
    return () => {
      if (this.#watched !== watched) return
      this.#ended.push(step())
      this.#watched = undefined
      this.clear()
    }
  }

  /** Shows the present state, where one is due. */
  tick(): void {
    if (this.#isOver) return
    const watched = this.#watched
    const now = this.#parts.now()
    if (watched !== undefined) sample(watched, now)
    if (this.#style === 'line') {
      this.#draw()
      return
    }
    if (watched === undefined || this.#style === 'quiet') return
    const isJson = this.#style === 'json'
    if (now - this.#printedMs < (isJson ? JSON_EVERY_MS : LOG_EVERY_MS)) return
    this.#printedMs = now
    const step = watched.step()
    const pace = paceOf(watched, step, now)
    const { command = '' } = this.#facts ?? {}
    const line = isJson
      ? JSON.stringify(progressObject(command, step, pace))
      : progressLine(step, pace, Number.POSITIVE_INFINITY)
    this.#parts.write(`${line}\n`)
  }

  /** Prints a line that stays. Nothing after the message of an interruption. */
  print(line: string): void {
    if (this.#isOver) return
    this.clear()
    this.#parts.write(`${line}\n`)
  }

  /** A server's trouble, as long as it lasts; undefined: it is over. On a terminal alone: logs have lines of their own. */
  trouble(server: string, text: string | undefined): void {
    if (text === undefined) this.#troubles.delete(server)
    else this.#troubles.set(server, text)
    if (this.#style === 'line' && !this.#isOver) this.#draw()
  }

  /** Erases the line in place, before another part of the command writes. */
  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#parts.write(ERASE)
  }

  /** Shows no task any more. */
  end(): void {
    this.#watched = undefined
    this.clear()
  }

  /** Prints how far the command has come, when a signal ends it, and nothing after that. Nothing where no command has begun a display. */
  interrupted(): void {
    if (this.#facts === undefined || this.#isOver) return
    this.print(this.#interruption(this.#facts))
    this.#isOver = true
  }

  #interruption({ command, advice, style }: CommandFacts): string {
    const watched = this.#watched === undefined ? [] : [this.#watched.step()]
    const steps = [...this.#ended, ...watched].map(stayingOf)
    const text = advice(steps)
    if (style === 'json')
      return JSON.stringify({ kind: 'interrupted', command, steps: steps.map(stepObject), advice: text })
    const named = steps.slice(-NAMED_MAX).map(stepText)
    const before = steps.length - named.length
    const more = before > 0 ? `${before} before; ` : ''
    const done = steps.length === 0 ? 'nothing was done yet' : `${more}${named.join('; ')}`
    return `tidegate: ${command} was interrupted: ${done}. ${text}`
  }

  #draw(): void {
    const trouble = [...this.#troubles.values()].at(-1)
    const width = this.#parts.columns() - 1
    const line = trouble === undefined ? this.#line(width) : cutTo(trouble, width)
    if (line === undefined) {
      this.clear()
      return
    }
    this.#isShown = true
    this.#parts.write(`${ERASE}${line}`)
  }

  #line(width: number): string | undefined {
    if (this.#watched === undefined) return undefined
    const step = this.#watched.step()
    return progressLine(step, paceOf(this.#watched, step, this.#parts.now()), width)
  }
}

/** The step with the amounts that stay after Ctrl-C. */
function stayingOf(step: Step): Step {
  const { task, amounts, staying = amounts } = step
  return { task, amounts: staying }
}

function sample({ step, samples }: Watched, now: number): void {
  samples.push({ ms: now, done: pacedAmount(step())?.done ?? 0 })
  while (samples.length > 2 && now - samples[1]!.ms > PACE_MS) samples.shift()
}

/** The speed is that of the last seconds; the time left goes by all of the task, so that it does not jump. */
function paceOf({ begunMs, begunFraction, samples }: Watched, step: Step, now: number): Pace {
  const seconds = Math.max(0, now - begunMs) / 1000
  const first = samples[0]!
  const since = Math.max(1, now - first.ms) / 1000
  const done = pacedAmount(step)?.done ?? 0
  const fraction = fractionOf(step)
  const covered = (fraction ?? 0) - begunFraction
  const isKnown = fraction !== undefined && covered > 0 && seconds >= 1
  return {
    seconds,
    perSecond: Math.max(0, done - first.done) / since,
    secondsLeft: isKnown ? (seconds * (1 - fraction)) / covered : undefined,
  }
}
