/**
 * Filters and comparators as HBase's protobuf writes them (Filter.proto, Comparator.proto), byte by byte, and also bytes
 * that no encoder would write.
 */

const FILTERS = 'org.apache.hadoop.hbase.filter.'

/** One field: a number or boolean as varint, text as Latin-1 bytes. */
export type Field = readonly [number: number, value: number | bigint | boolean | string | Buffer]

export function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

export function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value !== 'string' && !Buffer.isBuffer(value)) {
        return [varint(BigInt(number << 3)), varint(BigInt(value))]
      }
      const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : value
      return [varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]
    }),
  )
}

/** A fixed 32-bit field: a float. */
export function float(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(BigInt((number << 3) | 5)), bytes])
}

/** Filter { name, serialized_filter }. `name`: a class of HBase's filter package, or any with dots. */
export function filter(name: string, serialized: Buffer = Buffer.alloc(0)): Buffer {
  return message([1, name.includes('.') ? name : FILTERS + name], [2, serialized])
}

export function comparator(name: string, serialized: Buffer = Buffer.alloc(0)): Buffer {
  return filter(name, serialized)
}

/** The comparators with no field but a value. */
export function comparable(name: string, value: string | Buffer): Buffer {
  return comparator(name, message([1, message([1, value])]))
}

export const BIT_OPERATORS = { AND: 1, OR: 2, XOR: 3 } as const

export function bit(operator: keyof typeof BIT_OPERATORS, value: string): Buffer {
  return comparator('BitComparator', message([1, message([1, value])], [2, BIT_OPERATORS[operator]]))
}

export const DOTALL = 32

export function regex(pattern: string, flags: number = DOTALL, charset = 'UTF-8', engine?: string): Buffer {
  const fields: Field[] = [
    [1, Buffer.from(pattern)],
    [2, flags],
    [3, charset],
  ]
  return comparator(
    'RegexStringComparator',
    message(...fields, ...(engine === undefined ? [] : [[4, engine] as const])),
  )
}

export function substring(text: string): Buffer {
  return comparator('SubstringComparator', message([1, Buffer.from(text)]))
}

export function component(value: string, offset: number): Buffer {
  return comparator('BinaryComponentComparator', message([1, value], [2, offset]))
}

/** RowFilter, FamilyFilter, QualifierFilter and ValueFilter: a CompareFilter in a message. */
export function compare(name: string, operator: number, of?: Buffer): Buffer {
  return filter(name, message([1, comparison(operator, of)]))
}

function comparison(operator: number, of: Buffer | undefined): Buffer {
  return message([1, operator], ...(of === undefined ? [] : [[2, of] as const]))
}

export interface ColumnComparison {
  readonly operator: number
  readonly of: Buffer
  readonly family?: string
  readonly qualifier?: string
  readonly ifMissing?: boolean | undefined
  readonly latestOnly?: boolean | undefined
}

function singleColumn({
  operator,
  of,
  family = 'a',
  qualifier = '1',
  ifMissing,
  latestOnly,
}: ColumnComparison): Buffer {
  return message(
    [1, family],
    [2, qualifier],
    [3, operator],
    [4, of],
    ...(ifMissing === undefined ? [] : [[5, ifMissing] as const]),
    ...(latestOnly === undefined ? [] : [[6, latestOnly] as const]),
  )
}

export function singleColumnValue(of: ColumnComparison): Buffer {
  return filter('SingleColumnValueFilter', singleColumn(of))
}

export function singleColumnValueExclude(of: ColumnComparison): Buffer {
  return filter('SingleColumnValueExcludeFilter', message([1, singleColumn(of)]))
}

export function columnValue({ operator, of, family = 'a', qualifier = '1' }: ColumnComparison): Buffer {
  return filter('ColumnValueFilter', message([1, family], [2, qualifier], [3, operator], [4, of]))
}

export function dependentColumn(
  operator: number,
  of: Buffer | undefined,
  family: string,
  qualifier: string,
  drop: boolean,
): Buffer {
  return filter(
    'DependentColumnFilter',
    message([1, comparison(operator, of)], [2, family], [3, qualifier], [4, drop]),
  )
}

export function list(operator: number, ...filters: readonly Buffer[]): Buffer {
  return filter('FilterList', message([1, operator], ...filters.map((each) => [2, each] as const)))
}

export const MUST_PASS_ALL = 1
export const MUST_PASS_ONE = 2

export function skip(of: Buffer): Buffer {
  return filter('SkipFilter', message([1, of]))
}

export function whileMatch(of: Buffer): Buffer {
  return filter('WhileMatchFilter', message([1, of]))
}

/** `ranges`: start, whether with it, stop, whether with it. */
export function multiRowRange(...ranges: readonly (readonly [string, boolean, string, boolean])[]): Buffer {
  const fields = ranges.map(
    ([start, withStart, stop, withStop]): Field => [
      1,
      message([1, start], [2, withStart], [3, stop], [4, withStop]),
    ],
  )
  return filter('MultiRowRangeFilter', message(...fields))
}

/** `keys`: rows and their masks. */
export function fuzzyRow(keys: readonly (readonly [string, string])[], isMaskV2?: boolean): Buffer {
  const fields = keys.map(([row, mask]): Field => [1, message([1, row], [2, mask])])
  return filter(
    'FuzzyRowFilter',
    message(...fields, ...(isMaskV2 === undefined ? [] : [[2, isMaskV2] as const])),
  )
}
