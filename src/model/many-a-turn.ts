import { LOOP_TURNS } from './loop-turns.ts'
import type { Steps } from './steps.ts'

/**
 * Work in steps that are so short that many of them share a turn, in the turns of this thread (LoopTurns). `check` throws where
 * the result is not wanted any more.
 */
export async function manyATurn<Result>(
  steps: Steps<Result>,
  check: () => void = () => undefined,
): Promise<Result> {
  if (LOOP_TURNS.isUsedUp) await LOOP_TURNS.next()
  for (;;) {
    check()
    const endMs = performance.now() + LOOP_TURNS.begin()
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < endMs)
    await LOOP_TURNS.next()
  }
}
