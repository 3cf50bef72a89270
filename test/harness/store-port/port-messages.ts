/** The messages between a store in a worker thread and the thread that calls it. */

import {
  type FacetName,
  type NamedOperation,
  OPERATIONS,
  operationsOf,
} from '../../../src/store/operations.ts'

/** The methods of a store that belong to none of its facets. */
export const STORE_METHODS: readonly StoreMethod[] = [
  'clusterId',
  'metrics',
  'outage',
  'damage',
  'troubles',
  'close',
]
export type StoreMethod = 'clusterId' | 'metrics' | 'outage' | 'damage' | 'troubles' | 'close'

/** Every operation of the seam; a message names one by its place in this list. */
export const ALL_OPERATIONS: readonly NamedOperation[] = (Object.keys(OPERATIONS) as FacetName[]).flatMap(
  operationsOf,
)

export interface Asked {
  readonly kind: 'ask'
  readonly id: number
  /** A place in ALL_OPERATIONS, or the name of one of the store's own methods. */
  readonly operation: number | StoreMethod
  readonly args: unknown
}

/** The caller of `signal` is gone. */
export interface Aborted {
  readonly kind: 'abort'
  readonly signal: number
}

export type Request = Asked | Aborted

/** The operations that the store has, as places in ALL_OPERATIONS; sent once before any call. */
export interface Described {
  readonly kind: 'store'
  readonly name: string
  readonly hasSystemTables: boolean
  readonly operations: readonly number[]
}

export interface Answered {
  readonly kind: 'answer'
  readonly id: number
  readonly value?: unknown
  /** Instead of a value. */
  readonly error?: unknown
}

export type Reply = Described | Answered
