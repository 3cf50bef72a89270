/** The messages between a store in a worker thread and the thread that calls it. */

export interface Asked {
  readonly kind: 'ask'
  readonly id: number
  /** The path to the object of the method: `[]` for the store's own, `['upkeep', 'flushes']` for a part of a facet. */
  readonly path: readonly string[]
  readonly method: string
  readonly args: unknown
}

/** The caller of `signal` is gone. */
export interface Aborted {
  readonly kind: 'abort'
  readonly signal: number
}

export type Request = Asked | Aborted

/** The methods of the store, sent once before any call. */
export interface Described {
  readonly kind: 'store'
  readonly name: string
  readonly hasSystemTables: boolean
  readonly objects: readonly DescribedObject[]
}

export interface DescribedObject {
  readonly path: readonly string[]
  readonly methods: readonly string[]
}

export interface Answered {
  readonly kind: 'answer'
  readonly id: number
  readonly value?: unknown
  /** Instead of a value. */
  readonly error?: unknown
}

export type Reply = Described | Answered
