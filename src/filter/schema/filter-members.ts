/** The members of a filter's JSON, as HBase's REST server reads it: one object for all kinds of filters. HBase: ScannerModel.FilterModel. */

export interface ComparatorMembers {
  type: string
  value: string
  op: string
}

export interface RowRangeMembers {
  startRow: Buffer
  startRowInclusive: boolean
  stopRow: Buffer
  stopRowInclusive: boolean
}

export interface FuzzyKeyMembers {
  key: Buffer
  mask: Buffer
}

export interface FilterMembers {
  type: string
  op: string
  comparator: ComparatorSpec
  value: string
  filters: readonly (FilterSpec | undefined)[]
  limit: number
  offset: number
  family: string
  qualifier: string
  ifMissing: boolean
  latestVersion: boolean
  minColumn: string
  minColumnInclusive: boolean
  maxColumn: string
  maxColumnInclusive: boolean
  dropDependentColumn: boolean
  chance: number
  prefixes: readonly (string | undefined)[]
  ranges: readonly (RowRangeSpec | undefined)[]
  timestamps: readonly (bigint | undefined)[]
  fuzzyKeys: readonly (FuzzyKeySpec | undefined)[]
}

/** The members that are present and not null, and the place in the text where the object begins. */
export type Spec<Members> = { [Name in keyof Members]?: Members[Name] | undefined } & { readonly at: number }

export type ComparatorSpec = Spec<ComparatorMembers>
export type RowRangeSpec = Spec<RowRangeMembers>
export type FuzzyKeySpec = Spec<FuzzyKeyMembers>
export type FilterSpec = Spec<FilterMembers>

/** The names of a filter's members with values of one type. */
export type MemberOf<Value> = {
  [Name in keyof FilterMembers]: [Value, FilterMembers[Name]] extends [FilterMembers[Name], Value]
    ? Name
    : never
}[keyof FilterMembers]
