/** Work that a command leaves to be done, such as letting go of a lock: also where Ctrl-C or SIGTERM ends it. */

const CODES = { SIGINT: 130, SIGTERM: 143 } as const
/** A server that does not answer must not keep a command from ending. */
const WAIT_MS = 3000

const works = new Set<() => Promise<void>>()
let isListening = false

/** The returned function does the work, once. */
export function atEnd(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  const once = (): Promise<void> => {
    works.delete(once)
    done ??= work()
    return done
  }
  works.add(once)
  listen()
  return once
}

function listen(): void {
  if (isListening) return
  isListening = true
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      setTimeout(end, WAIT_MS, signal)
      void endAll().finally(() => end(signal))
    })
}

function end(signal: keyof typeof CODES): never {
  process.exit(CODES[signal])
}

/** The last first. */
async function endAll(): Promise<void> {
  for (const work of [...works].reverse()) await work().catch(() => undefined)
}
