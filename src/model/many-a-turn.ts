import { LOOP_TURNS } from './loop-turns.ts'
import { atOnce, eachInSteps, mapInSteps, STEP_ELEMENTS, type Steps } from './steps.ts'

/**
 * Work in steps that are so short that many of them share a turn, in the turns of this thread. `check` throws where the result is not
 * wanted any more. See LoopTurns.run.
 */
export function manyATurn<Result>(steps: Steps<Result>, check?: () => void): Promise<Result> {
  return LOOP_TURNS.run(steps, check)
}

/** Bytes on which work is done at once. */
const FEW_BYTES = 16 * 1024

/** Work on so many bytes: at once where they are few, else as manyATurn. */
export function inTurnsIfMany<Result>(bytes: number, steps: Steps<Result>): Result | Promise<Result> {
  return bytes <= FEW_BYTES ? atOnce(steps) : manyATurn(steps)
}

/** Calls `each` for all elements of a list, which may be as long as a client likes: few elements at once, more as manyATurn. */
export async function eachInTurns<Element>(
  list: readonly Element[],
  each: (element: Element, index: number) => void,
): Promise<void> {
  if (list.length < STEP_ELEMENTS) list.forEach(each)
  else await manyATurn(eachInSteps(list, each))
}

/** As Array.map, in the turns of eachInTurns. */
export async function mapInTurns<Element, Result>(
  list: readonly Element[],
  each: (element: Element, index: number) => Result,
): Promise<Result[]> {
  return list.length < STEP_ELEMENTS ? list.map(each) : manyATurn(mapInSteps(list, each))
}
