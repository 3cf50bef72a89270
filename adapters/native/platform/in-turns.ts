import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapInSteps, type Steps } from '../../../src/model/steps.ts'

/** Elements done at a stretch: regions are made, and files opened, in some milliseconds. */
const ELEMENTS_A_TURN = 256

/** Calls `each` for all elements of a list, which may be as long as a client likes; the event loop runs in between. */
export async function eachInTurns<Element>(
  list: Iterable<Element>,
  each: (element: Element, index: number) => void,
): Promise<void> {
  let index = 0
  for (const element of list) {
    if (index % ELEMENTS_A_TURN === ELEMENTS_A_TURN - 1) await nextTurn()
    each(element, index++)
  }
}

/** As Array.map; the event loop runs in between. */
export function mapInTurns<Element, Result>(
  list: readonly Element[],
  each: (element: Element, index: number) => Result,
): Promise<Result[]> {
  return inTurns(mapInSteps(list, each))
}

/** Work in steps; the event loop runs between two of them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}
