/** Work in steps of a fraction of a millisecond each: a caller lets the event loop run between two of them. */
export type Steps<Result> = Generator<void, Result>

/** Elements of a list that make a step. */
export const STEP_ELEMENTS = 256
/** A shorter list makes no step of its own. */
const OWN_STEP_ELEMENTS = 64
/** Elements that are sorted at once. */
const SORTED_AT_ONCE = 1024

/** Work in steps, all at a stretch. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** True for work in steps, false for a plain value. */
export function isSteps<Value>(value: Value | Steps<Value>): value is Steps<Value> {
  return value !== null && typeof value === 'object' && Symbol.iterator in value && 'next' in value
}

/** Whether a loop that has done so many elements ends a step: `if (isStepEnd(index)) yield`. */
export function isStepEnd(index: number): boolean {
  return index % STEP_ELEMENTS === STEP_ELEMENTS - 1
}

/** As Array.map. */
export function* mapInSteps<Element, Result>(
  list: readonly Element[],
  each: (element: Element, index: number) => Result,
): Steps<Result[]> {
  const made: Result[] = []
  for (let i = 0; i < list.length; i++) {
    if (isStepEnd(i)) yield
    made.push(each(list[i]!, i))
  }
  if (list.length > OWN_STEP_ELEMENTS) yield
  return made
}

/** As mapInSteps, where the work on an element has steps of its own. */
export function* mapEachInSteps<Element, Result>(
  list: readonly Element[],
  each: (element: Element, index: number) => Steps<Result>,
): Steps<Result[]> {
  const made: Result[] = []
  for (const [index, element] of list.entries()) {
    made.push(yield* each(element, index))
    yield
  }
  return made
}

/** Calls `each` for all elements. */
export function* eachInSteps<Element>(
  list: readonly Element[],
  each: (element: Element, index: number) => void,
): Steps<void> {
  for (let i = 0; i < list.length; i++) {
    if (isStepEnd(i)) yield
    each(list[i]!, i)
  }
}

/** As Array.toSorted. */
export function* sortInSteps<Element>(
  list: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  if (list.length <= SORTED_AT_ONCE) return list.toSorted(compare)
  let sorted: Element[] = []
  for (let at = 0; at < list.length; at += SORTED_AT_ONCE) {
    for (const element of list.slice(at, at + SORTED_AT_ONCE).sort(compare)) sorted.push(element)
    yield
  }
  for (let run = SORTED_AT_ONCE; run < list.length; run *= 2) {
    const merged: Element[] = []
    for (let at = 0; at < list.length; at += 2 * run) yield* mergeRuns(sorted, at, run, compare, merged)
    sorted = merged
  }
  return sorted
}

/** Merges the sorted runs of `run` elements that begin at `at` and at `at + run`; of equal elements the first run's comes first. */
function* mergeRuns<Element>(
  from: readonly Element[],
  at: number,
  run: number,
  compare: (a: Element, b: Element) => number,
  into: Element[],
): Steps<void> {
  const middle = Math.min(at + run, from.length)
  const end = Math.min(at + 2 * run, from.length)
  let left = at
  let right = middle
  while (left < middle || right < end) {
    if (into.length % STEP_ELEMENTS === 0) yield
    const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0)
    into.push(isLeft ? from[left++]! : from[right++]!)
  }
}
