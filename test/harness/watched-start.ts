/** A start of a server that is asked for its health all the while. */

import { ChildServer } from './child-server.ts'
import { freePort } from './opentsdb/free-port.ts'
import { defaultsBeside, FREE_PORTS, MAIN } from './tidegate-process.ts'

/** An answer of /health/ready, while the server was not ready. */
export interface Starting {
  readonly reason: string
  readonly progress?: { readonly work: string; readonly bytes: number; readonly bytesTotal: number }
}

export interface WatchedStart {
  readonly server: ChildServer
  /** Each answer of /health/ready before the server was ready. */
  readonly starting: readonly Starting[]
  /** Statuses of /health/live. */
  readonly live: ReadonlySet<number>
  /** The longest time between a question about life and its answer, in milliseconds. */
  readonly liveMsMax: number
  /** From the first answer until the server was ready. */
  readonly startingMs: number
}

export async function watchedStart(store: string, ...args: readonly string[]): Promise<WatchedStart> {
  const port = await freePort()
  const own = ['--web', String(port), ...args]
  const defaults = defaultsBeside(own, [...FREE_PORTS, '--log-level', 'silent'])
  const whole = ['serve', '--store', store, ...defaults, ...own]
  let ended: unknown
  const started = ChildServer.start(MAIN, whole)
  started.catch((error: unknown) => (ended = error))
  const live = new Set<number>()
  const starting: Starting[] = []
  let [liveMsMax, since] = [0, 0]
  for (;;) {
    if (ended !== undefined) throw ended
    const asked = performance.now()
    const alive = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
    // Nothing listens before the program is loaded.
    if (alive === undefined) continue
    await alive.arrayBuffer()
    live.add(alive.status)
    liveMsMax = Math.max(liveMsMax, performance.now() - asked)
    if (since === 0) since = asked
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
    const answer = (await ready.json()) as Starting
    if (ready.status === 200) break
    starting.push(answer)
  }
  const startingMs = performance.now() - since
  return { server: await started, starting, live, liveMsMax, startingMs }
}
