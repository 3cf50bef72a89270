/** A step of a history: one call on a store, in a form that can be drawn, printed and shrunk. */

import type { CellType } from '../../../src/model/cell.ts'
import type { Comparator, CompareOperator, Filter } from '../../../src/model/filter.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import type { Query, Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'

export interface CellChange {
  readonly family: string
  readonly qualifier: string
  readonly type: CellType
  readonly timestamp: bigint
  readonly value: string
  /** Bytes of its tags as latin1; undefined and empty: none. */
  readonly tags?: string
}

export interface RowChange {
  readonly row: string
  readonly cells: readonly CellChange[]
  readonly ttlMs: number | undefined
  readonly durability: Durability
}

export interface FamilyAttributes {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface DrawnOperation {
  readonly kind: 'mutate' | 'increment' | 'append'
  readonly cells: readonly CellChange[]
  readonly timeRange: TimeRange | undefined
}

export type DrawnCondition = { readonly timeRange: TimeRange | undefined } & (
  | {
      readonly kind: 'column'
      readonly family: string
      readonly qualifier: string
      readonly operator: CompareOperator
      readonly comparator: Comparator | undefined
    }
  | { readonly kind: 'filter'; readonly filter: Filter }
)

export interface DrawnPart {
  readonly row: string
  readonly operations: readonly DrawnOperation[]
  readonly condition: DrawnCondition | undefined
}

/** The target of a step: the whole table, one of its regions (counted round), or a region that does not exist. */
export type DrawnRegion = number | 'all' | 'none'

interface Targeted {
  readonly region: DrawnRegion
}

export type Action =
  | { readonly kind: 'reopen'; readonly killed: boolean }
  | {
      readonly kind: 'createTable' | 'modifyTable'
      readonly families: readonly FamilyAttributes[]
      readonly splits: readonly string[]
    }
  | {
      readonly kind:
        | 'enableTable'
        | 'disableTable'
        | 'deleteTable'
        | 'flushTable'
        | 'compactTable'
        | 'describeTable'
    }
  | { readonly kind: 'splitTable'; readonly at: string }
  /** Regions of the table, counted round. */
  | { readonly kind: 'mergeRegions'; readonly indexes: readonly number[] }
  | { readonly kind: 'unassignRegion' | 'assignRegion'; readonly index: number }
  | { readonly kind: 'truncateTable'; readonly preserveSplits: boolean }
  | ({ readonly kind: 'mutate'; readonly changes: readonly RowChange[] } & Targeted)
  | ({
      readonly kind: 'mutateRow'
      readonly row: string
      readonly operations: readonly DrawnOperation[]
      readonly condition: DrawnCondition | undefined
      readonly nonce: bigint | undefined
      readonly returnResults: boolean
    } & Targeted)
  | ({
      readonly kind: 'mutateRows'
      readonly parts: readonly DrawnPart[]
      readonly nonce: bigint | undefined
    } & Targeted)
  | ({
      readonly kind: 'get'
      readonly rows: readonly string[]
      readonly query: Partial<Query>
      readonly bytes: number
    } & Targeted)
  | ({ readonly kind: 'scan'; readonly scan: Partial<Scan>; readonly limits: ScanLimits } & Targeted)
  | ({ readonly kind: 'openScanner'; readonly slot: number; readonly scan: Partial<Scan> } & Targeted)
  | { readonly kind: 'nextOfScanner'; readonly slot: number; readonly limits: ScanLimits }
  | { readonly kind: 'closeScanner'; readonly slot: number }

export type Step = Action & { readonly table: TableName; readonly pauseMs: number }
