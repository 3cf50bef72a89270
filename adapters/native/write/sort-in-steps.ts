/** Work of one step, in items. */
const STEP_ITEMS = 2048

/** Sorts in place, as Array.sort does, in steps. Items with the same order stay as they were. */
export function* sortInSteps<T>(items: T[], compare: (a: T, b: T) => number): Generator<undefined, void> {
  if (items.length <= STEP_ITEMS) {
    items.sort(compare)
    return
  }
  for (let at = 0; at < items.length; at += STEP_ITEMS) {
    const sorted = items.slice(at, at + STEP_ITEMS).sort(compare)
    for (let i = 0; i < sorted.length; i++) items[at + i] = sorted[i]!
    yield
  }
  let from = items
  let to = [...items]
  for (let width = STEP_ITEMS; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width)
      yield* merge(from, to, start, width, compare)
    ;[from, to] = [to, from]
  }
  if (from !== items) for (let i = 0; i < items.length; i++) items[i] = from[i]!
}

/** Merges two runs of up to `width` items that lie side by side from `start` on. */
function* merge<T>(
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
): Generator<undefined, void> {
  const middle = Math.min(start + width, from.length)
  const end = Math.min(start + 2 * width, from.length)
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const takesLeft = left < middle && (right === end || compare(from[left]!, from[right]!) <= 0)
    to[at] = takesLeft ? from[left++]! : from[right++]!
    if ((at - start) % STEP_ITEMS === STEP_ITEMS - 1) yield
  }
}
