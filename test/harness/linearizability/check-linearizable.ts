/**
 * Whether a history is linearizable: whether each operation can be thought to have happened at one moment between its begin and its
 * end, so that all answers are those of one object that does one operation after the other. The search is Wing and Gong's with Lowe's
 * memory of what was tried, as Porcupine does it. It leaves out orders that lead nowhere, or that can be had in another way:
 *
 * - A read of the present state comes at once: it changes nothing, and whatever order has it later has it first, too.
 * - Of operations that do the same, the one that ends first comes first: they could change places.
 * - The object does not leave a state that others must find, where none can make it again.
 * - An operation of unknown outcome comes only where the next one needs it: elsewhere it could wait, or never have happened.
 */

/** An object that does one operation after the other. States are compared as values of a Map's keys. */
export interface Model<State, Input, Output> {
  readonly initial: State
  /** The state after the operation; undefined where the object would not have answered `output`. `output` undefined: any answer. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** True where the operation has changed no state that answers so. */
  isRead?(input: Input, output: Output): boolean
  /** The state in which the operation must have found the object to answer so; undefined: it may have been any. */
  foundBy?(input: Input, output: Output): State | undefined
  /** The one state to which the operation may change the object; undefined: it depends on the state before. */
  madeBy?(input: Input): State | undefined
  /** The same for operations with the same `step` in each state, whatever their outputs; undefined: there may be no other. */
  kindOf?(input: Input, output: Output | undefined): string | undefined
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
  const search = new Search(model, history)
  const verdict = search.run(statesMax)
  return { verdict, states: search.states, longest: search.longest }
}

interface Taken<State> {
  readonly event: Event
  /** The state before it. */
  readonly before: State
  /** Nothing else has to be tried in its place. */
  readonly isOnly: boolean
}

class Search<State, Input, Output> {
  states = 0
  longest: readonly number[] = []
  readonly #model: Model<State, Input, Output>
  readonly #history: readonly Operation<Input, Output>[]
  readonly #head: Event
  readonly #ends: readonly (Event | undefined)[]
  readonly #kinds: readonly (string | undefined)[]
  readonly #order: Taken<State>[] = []
  readonly #tried = new Map<State, Set<bigint>>()
  /** By state, the operations of the order's rest that must find it, and those that may make it. Undefined: operations make any state. */
  readonly #finders: Map<State, number> = new Map()
  readonly #makers: Map<State, number> | undefined
  #unanswered: number
  #done = 0n
  #state: State

  constructor(model: Model<State, Input, Output>, history: readonly Operation<Input, Output>[]) {
    this.#model = model
    this.#history = history
    const { head, ends } = eventsOf(history)
    this.#head = head
    this.#ends = ends
    this.#kinds = history.map(({ input, output }) => model.kindOf?.(input, output))
    const isMadeByAny = history.some(({ input, output }) => {
      return !this.#isReadBy(input, output) && model.madeBy?.(input) === undefined
    })
    this.#makers = isMadeByAny ? undefined : new Map()
    for (const index of history.keys()) this.#count(index, 1)
    this.#unanswered = history.filter(isAnswered).length
    this.#state = model.initial
  }

  run(statesMax: number): Verdict {
    let event = this.#first()
    while (this.#unanswered > 0) {
      const next = event === undefined ? undefined : this.#after(event)
      if (event === undefined || !event.isBegin) {
        // The operation that ends here cannot come after those in the order: take the last one back.
        const last = this.#takeBack()
        if (last === undefined) return 'not linearizable'
        event = last.after
      } else if (next === undefined || !this.#note(next, event.operation)) {
        event = this.#isRead(event) ? undefined : event.after
      } else {
        if (++this.states > statesMax) return 'too long'
        this.#take(event, next)
        event = this.#first()
      }
    }
    return 'linearizable'
  }

  /** The operations that may come next: those that began before any other one ended. */
  *#enabled(): Iterable<Event> {
    for (let event = this.#head.after; event?.isBegin === true; event = event.after) yield event
  }

  /** The event to begin with: a read of the present state where there is one. */
  #first(): Event | undefined {
    for (const event of this.#enabled()) if (this.#isRead(event)) return event
    return this.#head.after
  }

  #isReadBy(input: Input, output: Output | undefined): boolean {
    return output !== undefined && this.#model.isRead?.(input, output) === true
  }

  /** Counts an operation among those that are left, or no more. */
  #count(operation: number, by: 1 | -1): void {
    const { input, output } = this.#history[operation]!
    const found = output === undefined ? undefined : this.#model.foundBy?.(input, output)
    if (found !== undefined) this.#finders.set(found, (this.#finders.get(found) ?? 0) + by)
    if (this.#makers === undefined || this.#isReadBy(input, output)) return
    const made = this.#model.madeBy!(input)!
    this.#makers.set(made, (this.#makers.get(made) ?? 0) + by)
  }

  /** True where the operation ends a state that others have still to find, for good. */
  #isTooEarly(operation: number, next: State): boolean {
    const state = this.#state
    if (next === state || this.#makers === undefined || (this.#makers.get(state) ?? 0) > 0) return false
    const { input, output } = this.#history[operation]!
    const isFinder = output !== undefined && this.#model.foundBy?.(input, output) === state
    return (this.#finders.get(state) ?? 0) > (isFinder ? 1 : 0)
  }

  #isRead({ operation }: Event): boolean {
    const { input, output } = this.#history[operation]!
    if (!this.#isReadBy(input, output)) return false
    return this.#model.step(this.#state, input, output) === this.#state
  }

  /** The state after the operation; undefined where it cannot come next, or need not. */
  #after({ isBegin, operation }: Event): State | undefined {
    if (!isBegin) return undefined
    const next = this.#step(this.#state, operation)
    if (next === undefined || this.#isTooEarly(operation, next)) return undefined
    if (this.#isLaterOfKind(operation)) return undefined
    return isAnswered(this.#history[operation]!) || this.#isNeeded(operation, next) ? next : undefined
  }

  #step(state: State, operation: number): State | undefined {
    const { input, output } = this.#history[operation]!
    return this.#model.step(state, input, output)
  }

  #isLaterOfKind(operation: number): boolean {
    const kind = this.#kinds[operation]
    if (kind === undefined) return false
    const { end } = this.#history[operation]!
    for (const { operation: other } of this.#enabled()) {
      if (other === operation || this.#kinds[other] !== kind) continue
      const { end: otherEnd } = this.#history[other]!
      if (otherEnd < end || (otherEnd === end && other < operation)) return true
    }
    return false
  }

  /** True where an operation may come after this one, of unknown outcome, that could not come before it or instead of it. */
  #isNeeded(operation: number, next: State): boolean {
    for (const { operation: other } of this.#enabled()) {
      if (other === operation) continue
      const both = this.#step(next, other)
      if (both === undefined) continue
      const without = this.#step(this.#state, other)
      if (without === both) continue
      // Of two unknown ones that could change places the one with the smaller number comes first.
      const isFixed = isAnswered(this.#history[other]!) || other < operation
      const canWait = isFixed && without !== undefined && this.#step(without, operation) === both
      if (!canWait) return true
    }
    return false
  }

  #take(event: Event, next: State): void {
    const { operation } = event
    this.#order.push({ event, before: this.#state, isOnly: this.#isRead(event) })
    this.#done |= 1n << BigInt(operation)
    this.#state = next
    this.#count(operation, -1)
    if (isAnswered(this.#history[operation]!)) this.#unanswered--
    takeOut(event, this.#ends)
    if (this.#order.length > this.longest.length)
      this.longest = this.#order.map(({ event: each }) => each.operation)
  }

  /** Undefined where nothing else is to be tried. */
  #takeBack(): Event | undefined {
    for (;;) {
      const last = this.#order.pop()
      if (last === undefined) return undefined
      const { event, before, isOnly } = last
      this.#done &= ~(1n << BigInt(event.operation))
      this.#count(event.operation, 1)
      if (isAnswered(this.#history[event.operation]!)) this.#unanswered++
      this.#state = before
      putBack(event, this.#ends)
      if (!isOnly) return event
    }
  }

  /** False where the state was met before after the same operations. */
  #note(state: State, operation: number): boolean {
    const done = this.#done | (1n << BigInt(operation))
    const known = this.#tried.get(state)
    if (known === undefined) {
      this.#tried.set(state, new Set([done]))
      return true
    }
    if (known.has(done)) return false
    known.add(done)
    return true
  }
}

function isAnswered({ end }: Operation<unknown, unknown>): boolean {
  return end < Number.POSITIVE_INFINITY
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
