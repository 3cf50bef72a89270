import { LOOP_TURNS } from './loop-turns.ts'
import { atOnce, type Steps } from './steps.ts'

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

/** Bytes on which work is done at once. */
const FEW_BYTES = 16 * 1024

/** Work on so many bytes: at once where they are few, else as manyATurn. */
export function inTurnsIfMany<Result>(bytes: number, steps: Steps<Result>): Result | Promise<Result> {
  return bytes <= FEW_BYTES ? atOnce(steps) : manyATurn(steps)
}
