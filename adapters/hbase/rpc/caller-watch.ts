/**
 * Watches callers that may hang up. A caller's signal belongs to a door's connection and serves thousands of calls, so it gets
 * one listener and a set of the calls that wait.
 */

/** The signal of one caller, or those of the callers of one shared call; undefined: a caller that never hangs up. */
export type Callers = AbortSignal | readonly AbortSignal[] | undefined

export interface Waiting {
  /** Runs when one of its callers has hung up. */
  callerGone(): void
}

const waitingBySignal = new WeakMap<AbortSignal, Set<Waiting>>()

/** True if every caller has hung up. */
export function areGone(callers: Callers): boolean {
  if (callers === undefined) return false
  return callers instanceof AbortSignal ? callers.aborted : callers.every(({ aborted }) => aborted)
}

export function watchCallers(callers: Callers, waiting: Waiting): void {
  if (callers === undefined) return
  if (callers instanceof AbortSignal) waitingOn(callers).add(waiting)
  else for (const caller of callers) waitingOn(caller).add(waiting)
}

export function unwatchCallers(callers: Callers, waiting: Waiting): void {
  if (callers === undefined) return
  if (callers instanceof AbortSignal) waitingBySignal.get(callers)?.delete(waiting)
  else for (const caller of callers) waitingBySignal.get(caller)?.delete(waiting)
}

function waitingOn(caller: AbortSignal): Set<Waiting> {
  const known = waitingBySignal.get(caller)
  if (known !== undefined) return known
  const all = new Set<Waiting>()
  waitingBySignal.set(caller, all)
  const onAbort = (): void => {
    for (const waiting of all) waiting.callerGone()
    all.clear()
  }
  caller.addEventListener('abort', onAbort, { once: true })
  return all
}
