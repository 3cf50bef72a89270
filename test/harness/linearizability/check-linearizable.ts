/**
 * Whether a history is linearizable: whether each operation can be thought to have happened at one moment between its begin and its
 * end, so that all answers are those of one object that does one operation after the other. The search is Wing and Gong's with Lowe's
 * memory of what was tried, as Porcupine does it.
 */

/** An object that does one operation after the other. States are compared as values of a Map's keys. */
export interface Model<State, Input, Output> {
  readonly initial: State
  /** The state after the operation; undefined where the object would not have answered `output`. `output` undefined: any answer. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
}

export interface Operation<Input, Output> {
  readonly input: Input
  /** Undefined: its client does not know the answer, and the operation may have happened at any time since, or not at all. */
  readonly output: Output | undefined
  /** Times on one clock, each used once. */
  readonly begin: number
  /** Infinity: as `output` undefined. */
  readonly end: number
}

export type Verdict = 'linearizable' | 'not linearizable' | 'too long'

/** A begin or an end, in a list in the order of their times. */
interface Event {
  readonly operation: number
  readonly isBegin: boolean
  before: Event | undefined
  after: Event | undefined
}

export interface Checked {
  readonly verdict: Verdict
  /** States that the search has met. */
  readonly states: number
  /** The most operations that were put in an order, of those with an answer the most; by their places in the history. */
  readonly longest: readonly number[]
}

/** `statesMax`: a search that meets more states is given up as too long. */
export function checkLinearizable<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  statesMax: number = 1_000_000,
): Checked {
  const { head, ends } = eventsOf(history)
  const isAnswered = history.map(({ end }) => end < Number.POSITIVE_INFINITY)
  let unanswered = isAnswered.filter(Boolean).length
  const order: { readonly event: Event; readonly before: State }[] = []
  const tried = new Map<State, Set<bigint>>()
  let states = 0
  let done = 0n
  let state = model.initial
  let longest: readonly number[] = []
  let event = head.after
  while (unanswered > 0) {
    if (event === undefined) throw new Error('an operation has an end without a begin')
    const { operation, isBegin } = event
    if (!isBegin) {
      // The operation that ends here cannot come after those in the order: take the last one back.
      const last = order.pop()
      if (last === undefined) return { verdict: 'not linearizable', states, longest }
      done &= ~(1n << BigInt(last.event.operation))
      if (isAnswered[last.event.operation]) unanswered++
      state = last.before
      putBack(last.event, ends)
      event = last.event.after
      continue
    }
    const { input, output } = history[operation]!
    const next = model.step(state, input, output)
    const withThis = done | (1n << BigInt(operation))
    if (next === undefined || !note(tried, next, withThis)) {
      event = event.after
      continue
    }
    if (++states > statesMax) return { verdict: 'too long', states, longest }
    order.push({ event, before: state })
    done = withThis
    state = next
    if (isAnswered[operation]) unanswered--
    takeOut(event, ends)
    if (order.length > longest.length) longest = order.map(({ event: each }) => each.operation)
    event = head.after
  }
  return { verdict: 'linearizable', states, longest }
}

function eventsOf(history: readonly Operation<unknown, unknown>[]): {
  readonly head: Event
  /** By operation; undefined for one without an answer. */
  readonly ends: readonly (Event | undefined)[]
} {
  const ends: (Event | undefined)[] = []
  const timed = history.flatMap(({ begin, end }, operation) => {
    const first = { at: begin, event: newEvent(operation, true) }
    if (end === Number.POSITIVE_INFINITY) return [first]
    const last = { at: end, event: newEvent(operation, false) }
    ends[operation] = last.event
    return [first, last]
  })
  const head = newEvent(-1, true)
  let before = head
  for (const { event } of timed.sort((a, b) => a.at - b.at)) {
    before.after = event
    event.before = before
    before = event
  }
  return { head, ends }
}

function newEvent(operation: number, isBegin: boolean): Event {
  return { operation, isBegin, before: undefined, after: undefined }
}

function takeOut(begin: Event, ends: readonly (Event | undefined)[]): void {
  for (const event of [begin, ends[begin.operation]]) {
    if (event === undefined) continue
    event.before!.after = event.after
    if (event.after !== undefined) event.after.before = event.before
  }
}

/** In the reverse order of takeOut. */
function putBack(begin: Event, ends: readonly (Event | undefined)[]): void {
  for (const event of [ends[begin.operation], begin]) {
    if (event === undefined) continue
    event.before!.after = event
    if (event.after !== undefined) event.after.before = event
  }
}

/** False where the state was met before after the same operations. */
function note<State>(tried: Map<State, Set<bigint>>, state: State, done: bigint): boolean {
  const known = tried.get(state)
  if (known === undefined) {
    tried.set(state, new Set([done]))
    return true
  }
  if (known.has(done)) return false
  known.add(done)
  return true
}
