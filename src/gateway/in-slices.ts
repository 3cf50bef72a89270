import { setImmediate as nextTurn } from 'node:timers/promises'

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
