/** The one display of this process, and the flag of all long commands. */

import { Option } from 'commander'
import { listenForSignals, onEndSignal } from './at-end.ts'
import { type CommandFacts, type DisplayStyle, ProgressDisplay } from './progress-display.ts'
import type { Step } from './progress-text.ts'

const IN_PLACE_EVERY_MS = 200
const EVERY_MS = 1000
/** The width of a terminal that does not report one. */
const COLUMNS = 80

const { stderr } = process

/** No line in place where the terminal cannot erase one. */
const isInPlace = stderr.isTTY && process.env['TERM'] !== 'dumb'

export const DISPLAY: ProgressDisplay = new ProgressDisplay(isInPlace ? 'line' : 'log', {
  write: (text) => void stderr.write(text),
  columns: () => stderr.columns || COLUMNS,
  now: () => performance.now(),
})

export interface ProgressFlags {
  readonly quiet?: true
  readonly json?: boolean
}

export function quietOption(): Option {
  return new Option('--quiet', 'show no progress')
}

/** Begins the display of a command; Ctrl-C then says how far the command has come. `advice`: how the user can go on. */
export function beginProgress(
  command: string,
  { quiet, json }: ProgressFlags,
  advice: CommandFacts['advice'],
): void {
  const style: DisplayStyle = quiet === true ? 'quiet' : json === true ? 'json' : isInPlace ? 'line' : 'log'
  DISPLAY.begin({ command, style, advice })
  onEndSignal(sayInterrupted)
  listenForSignals()
}

function sayInterrupted(): void {
  DISPLAY.interrupted()
}

let timer: NodeJS.Timeout | undefined

/** Shows a task's progress. The returned function ends that. */
export function showProgress(step: () => Step): () => void {
  timer ??= setInterval(() => DISPLAY.tick(), DISPLAY.isInPlace ? IN_PLACE_EVERY_MS : EVERY_MS).unref()
  const end = DISPLAY.watch(step)
  return () => {
    end()
    if (!DISPLAY.isWatching) endProgress()
  }
}

/** Ends the display, as at the end of the command. */
export function endProgress(): void {
  clearInterval(timer)
  timer = undefined
  DISPLAY.end()
}

/** Shows a task's progress while `work` runs. */
export async function withProgress<T>(step: () => Step, work: () => Promise<T>): Promise<T> {
  const end = showProgress(step)
  try {
    return await work()
  } finally {
    end()
  }
}
