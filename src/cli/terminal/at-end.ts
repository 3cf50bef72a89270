/** Work that a command leaves to be done, such as letting go of a lock: also where Ctrl-C or SIGTERM ends it. */

const CODES = { SIGINT: 130, SIGTERM: 143 } as const
type EndSignal = keyof typeof CODES
/** A server that does not answer must not keep a command from ending. */
const WAIT_MS = 3000

const works = new Set<() => Promise<void>>()
const listeners = new Set<() => void>()
let isListening = false
let isEnding = false

/** The returned function does the work, once. */
export function atEnd(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  const once = (): Promise<void> => {
    works.delete(once)
    done ??= work()
    return done
  }
  works.add(once)
  listenForSignals()
  return once
}

/** Called at a signal that ends the command, before its work at the end. */
export function onEndSignal(listener: () => void): void {
  listeners.add(listener)
}

/** True once a signal ends the command: its failures from then on are no news. */
export function isEndingBySignal(): boolean {
  return isEnding
}

/** Has signals end the command in order, with the exit code of the signal. A second one ends it at once. */
export function listenForSignals(): void {
  if (isListening) return
  isListening = true
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => take(signal))
}

function take(signal: EndSignal): void {
  if (isEnding) end(signal)
  isEnding = true
  for (const listener of listeners) listener()
  setTimeout(end, WAIT_MS, signal)
  void endAll().finally(() => end(signal))
}

function end(signal: EndSignal): never {
  process.exit(CODES[signal])
}

/** The last first. */
async function endAll(): Promise<void> {
  for (const work of [...works].reverse()) await work().catch(() => undefined)
}
