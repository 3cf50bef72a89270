/**
 * A filter as data: one tree, whichever form a client sent it in. Names and fields are those of HBase's classes in
 * org.apache.hadoop.hbase.filter; a missing field means what it means to HBase.
 */

/** HBase's CompareOperator. */
export type CompareOperator =
  | 'LESS'
  | 'LESS_OR_EQUAL'
  | 'EQUAL'
  | 'NOT_EQUAL'
  | 'GREATER_OR_EQUAL'
  | 'GREATER'

/** HBase's CompareOperator with the one that never holds. */
export type FilterOperator = CompareOperator | 'NO_OP'

/** The other side of a comparison with a row, family, qualifier or value. HBase: ByteArrayComparable. */
export type Comparator =
  | { readonly kind: 'BinaryComparator'; readonly value: Buffer }
  | { readonly kind: 'BinaryPrefixComparator'; readonly value: Buffer }
  /** Compares from byte `offset` on. */
  | { readonly kind: 'BinaryComponentComparator'; readonly value: Buffer; readonly offset: number }
  | { readonly kind: 'BitComparator'; readonly value: Buffer; readonly operator: 'AND' | 'OR' | 'XOR' }
  | { readonly kind: 'NullComparator' }
  | {
      readonly kind: 'RegexStringComparator'
      /** A java.util.regex pattern. */
      readonly pattern: string
      /** The bits of java.util.regex.Pattern's flags; HBase's default is DOTALL, 32. */
      readonly flags: number
      /** A Java charset name, as the client gave it. */
      readonly charset: string
      readonly engine: 'JAVA' | 'JONI'
    }
  /** `substring` is lower case. */
  | { readonly kind: 'SubstringComparator'; readonly substring: string }
  /** `value`: 8 bytes, big-endian. */
  | { readonly kind: 'LongComparator'; readonly value: Buffer }
  /** `value`: scale and unscaled number, as Bytes.toBytes(BigDecimal) writes them. */
  | { readonly kind: 'BigDecimalComparator'; readonly value: Buffer }

/** A comparison: the operator between the compared part of a cell, on its left, and the comparator. */
export interface Comparison {
  readonly operator: FilterOperator
  readonly comparator: Comparator
}

export interface SingleColumnValue extends Comparison {
  readonly family: Buffer
  readonly qualifier: Buffer
  /** Leaves out rows that have no such column. */
  readonly filterIfMissing: boolean
  readonly latestVersionOnly: boolean
}

/** The row range of a MultiRowRangeFilter; an empty stop row means the end of the table. */
export interface RowRange {
  readonly startRow: Buffer
  readonly includeStartRow: boolean
  readonly stopRow: Buffer
  readonly includeStopRow: boolean
}

/** A row with the bytes of it that need not match. */
export interface FuzzyKey {
  readonly row: Buffer
  /** The mask as the client gave it: 0 a byte that must match, 1 any byte (mask version 1: 0 and 1; version 2: -1 and 2). */
  readonly mask: Buffer
}

/** A family of which a subject may read some or all. */
export interface ReadableFamily {
  readonly name: Buffer
  /** The family's number of versions. */
  readonly maxVersions: number
  /** `whole`, or the columns that the subject may read. Cells of other columns open only by permissions of their own. */
  readonly readable: 'whole' | readonly Buffer[]
}

export type Filter =
  /** A filter of the server itself: no client can send or get it. */
  | {
      readonly kind: 'AccessControlFilter'
      /** All families of the table. */
      readonly families: readonly ReadableFamily[]
      /** The names of the subject: the user's, and those of the user's groups behind an `@`. */
      readonly names: readonly string[]
    }
  | { readonly kind: 'ColumnCountGetFilter'; readonly limit: number }
  | {
      readonly kind: 'ColumnPaginationFilter'
      readonly limit: number
      /** How many columns to leave out, or the column to begin with. */
      readonly offset: number | Buffer
    }
  | { readonly kind: 'ColumnPrefixFilter'; readonly prefix: Buffer }
  | {
      readonly kind: 'ColumnRangeFilter'
      /** undefined: from the first column. */
      readonly min: Buffer | undefined
      readonly includeMin: boolean
      /** undefined: to the last column. */
      readonly max: Buffer | undefined
      readonly includeMax: boolean
    }
  | ({ readonly kind: 'ColumnValueFilter'; readonly family: Buffer; readonly qualifier: Buffer } & Comparison)
  | {
      readonly kind: 'DependentColumnFilter'
      readonly family: Buffer
      readonly qualifier: Buffer
      readonly dropDependentColumn: boolean
      readonly operator: FilterOperator
      /** undefined: any value will do. */
      readonly comparator: Comparator | undefined
    }
  | ({ readonly kind: 'FamilyFilter' } & Comparison)
  /** Lets nothing through and ends the scan. */
  | { readonly kind: 'FilterAllFilter' }
  | {
      readonly kind: 'FilterList'
      readonly operator: 'MUST_PASS_ALL' | 'MUST_PASS_ONE'
      readonly filters: readonly Filter[]
    }
  | { readonly kind: 'FirstKeyOnlyFilter' }
  | { readonly kind: 'FirstKeyValueMatchingQualifiersFilter'; readonly qualifiers: readonly Buffer[] }
  | { readonly kind: 'FuzzyRowFilter'; readonly keys: readonly FuzzyKey[]; readonly isMaskV2: boolean }
  | { readonly kind: 'InclusiveStopFilter'; readonly stopRow: Buffer }
  /** `lengthAsValue`: the value becomes its length in 4 bytes, and is else empty. */
  | { readonly kind: 'KeyOnlyFilter'; readonly lengthAsValue: boolean }
  | { readonly kind: 'MultiRowRangeFilter'; readonly ranges: readonly RowRange[] }
  | { readonly kind: 'MultipleColumnPrefixFilter'; readonly prefixes: readonly Buffer[] }
  | { readonly kind: 'PageFilter'; readonly pageSize: bigint }
  | { readonly kind: 'PrefixFilter'; readonly prefix: Buffer }
  | ({ readonly kind: 'QualifierFilter' } & Comparison)
  | { readonly kind: 'RandomRowFilter'; readonly chance: number }
  | ({ readonly kind: 'RowFilter' } & Comparison)
  | ({ readonly kind: 'SingleColumnValueFilter' } & SingleColumnValue)
  | ({ readonly kind: 'SingleColumnValueExcludeFilter' } & SingleColumnValue)
  | { readonly kind: 'SkipFilter'; readonly filter: Filter }
  | {
      readonly kind: 'TimestampsFilter'
      /** Milliseconds since 1970. */
      readonly timestamps: readonly bigint[]
      readonly canHint: boolean
    }
  | ({ readonly kind: 'ValueFilter' } & Comparison)
  | { readonly kind: 'WhileMatchFilter'; readonly filter: Filter }

export type FilterKind = Filter['kind']
export type FilterOfKind<Kind extends FilterKind> = Extract<Filter, { readonly kind: Kind }>
