import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../model/steps.ts'

/** Elements done at a stretch: a few milliseconds' work. */
const SLICE_ELEMENTS = 1000

/** Calls `each` for all elements of a list that a client made as long as it liked; the event loop runs in between. */
export async function inSlices<Element>(
  list: readonly Element[],
  each: (element: Element) => void,
): Promise<void> {
  for (let start = 0; start < list.length; start += SLICE_ELEMENTS) {
    if (start > 0) await nextTurn()
    for (let i = start; i < Math.min(list.length, start + SLICE_ELEMENTS); i++) each(list[i]!)
  }
}

/** Whether a loop that has done so many elements should let the event loop run: `if (isSliceEnd(i)) yield`. */
export function isSliceEnd(index: number): boolean {
  return index % SLICE_ELEMENTS === SLICE_ELEMENTS - 1
}

/** Work in steps; the event loop runs between two of them. Work of one step is done when this returns. */
export function betweenTurns<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const first = steps.next()
  return first.done === true ? first.value : othersBetweenTurns(steps)
}

async function othersBetweenTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await nextTurn()
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
