/** The messages between a store and the callers in another thread. */

import {
  type FacetName,
  type Facets,
  type MethodName,
  type NamedOperation,
  OPERATIONS,
  operationsOf,
} from '../operations.ts'
import type { Store } from '../store.ts'
import type { StoreReach } from '../store-reach.ts'
import type { PlainWrites } from './plain-writes.ts'

/** The methods of a store that belong to none of its facets. */
export type StoreMethod = {
  [Name in keyof Store]-?: NonNullable<Store[Name]> extends (...args: never[]) => unknown ? Name : never
}[keyof Store]

const EVERY_STORE_METHOD: Readonly<Record<StoreMethod, true>> = {
  clusterId: true,
  metrics: true,
  outage: true,
  damage: true,
  troubles: true,
  close: true,
}
export const STORE_METHODS: readonly StoreMethod[] = Object.keys(EVERY_STORE_METHOD) as StoreMethod[]

/** Every operation of the seam; a message names one by its place in this list. */
export const ALL_OPERATIONS: readonly NamedOperation[] = (Object.keys(OPERATIONS) as FacetName[]).flatMap(
  operationsOf,
)

/** The place of the operation that plain writes are. */
export const MUTATE: number = ALL_OPERATIONS.findIndex(
  ({ facet, method }) => facet === 'rows' && method === 'mutate',
)

/** The fields of a facet that are no methods. */
type FactName<Name extends FacetName> = Exclude<keyof Facets[Name], MethodName<Name>>

type FactTable = {
  readonly [Name in FacetName as [FactName<Name>] extends [never] ? never : Name]: {
    readonly [Fact in FactName<Name>]: true
  }
}

/** Every fact of the facets: a new one does not compile until it stands here. */
export const FACTS: FactTable = { catalog: { hasSystemTables: true } }

/** Bytes below LARGE_BYTES of a message, back to back: the message's values name their places. */
export type SmallBytes = Uint8Array | undefined

export interface Asked {
  readonly kind: 'ask'
  readonly id: number
  /** A place in ALL_OPERATIONS, or the name of one of the store's own methods. */
  readonly operation: number | StoreMethod
  readonly args: unknown
  readonly small: SmallBytes
}

/** The caller of `signal` is gone. */
export interface Aborted {
  readonly kind: 'abort'
  readonly signal: number
}

/** The caller of plain writes is gone, and its number is not used again. */
export interface CallerGone {
  readonly kind: 'gone'
  readonly caller: number
}

export type Request = Asked | Aborted | PlainWrites | CallerGone

/** The requests of one turn of the event loop: to post a message costs more than most of them cost otherwise. */
export type Requests = readonly Request[]

/** The store as it is, sent once before any call. */
export interface Described {
  readonly kind: 'store'
  readonly name: string
  readonly reach: StoreReach | undefined
  readonly carriesTags: boolean | undefined
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The operations that the store has, as places in ALL_OPERATIONS. */
  readonly operations: readonly number[]
}

export interface Answered {
  readonly kind: 'answer'
  readonly id: number
  readonly value?: unknown
  /** Instead of a value. */
  readonly error?: unknown
  readonly small: SmallBytes
}

/** Plain writes that were made as a whole. */
export interface WritesDone {
  readonly kind: 'done'
  readonly ids: readonly number[]
}

export type Reply = Described | Answered | WritesDone
export type Replies = readonly Reply[]
