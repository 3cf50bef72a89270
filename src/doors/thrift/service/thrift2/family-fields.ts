/**
 * The typed fields of TColumnFamilyDescriptor. Each repeats an attribute of the map of all attributes.
 * QUIRK thrift2-family-attributes-versions-9-versions-4: HBase obeys the field where a client sends field and attribute.
 */

import { type FamilyDescriptor, timeToLiveSecondsOf } from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'

/** A field: its attribute, and the value that HBase answers for a family without the attribute. */
interface FieldOf<Value> {
  readonly field: string
  readonly attribute: string
  readonly absent: Value
}
interface EnumFieldOf extends FieldOf<number> {
  /** Names of an enum's values, by their numbers. */
  readonly names: readonly (string | undefined)[]
}

const NUMBERS: readonly FieldOf<number>[] = [
  { field: 'blockSize', attribute: 'BLOCKSIZE', absent: 65536 },
  { field: 'dfsReplication', attribute: 'DFS_REPLICATION', absent: 0 },
  { field: 'maxVersions', attribute: 'VERSIONS', absent: 1 },
  { field: 'minVersions', attribute: 'MIN_VERSIONS', absent: 0 },
  { field: 'scope', attribute: 'REPLICATION_SCOPE', absent: 0 },
]

const FLAGS: readonly FieldOf<boolean>[] = [
  { field: 'blockCacheEnabled', attribute: 'BLOCKCACHE', absent: true },
  { field: 'cacheBloomsOnWrite', attribute: 'CACHE_BLOOMS_ON_WRITE', absent: false },
  { field: 'cacheDataOnWrite', attribute: 'CACHE_DATA_ON_WRITE', absent: false },
  { field: 'cacheIndexesOnWrite', attribute: 'CACHE_INDEX_ON_WRITE', absent: false },
  { field: 'compressTags', attribute: 'COMPRESS_TAGS', absent: true },
  { field: 'evictBlocksOnClose', attribute: 'EVICT_BLOCKS_ON_CLOSE', absent: false },
  { field: 'inMemory', attribute: 'IN_MEMORY', absent: false },
]

const ENUMS: readonly EnumFieldOf[] = [
  {
    field: 'bloomnFilterType',
    attribute: 'BLOOMFILTER',
    absent: 1,
    names: ['NONE', 'ROW', 'ROWCOL', 'ROWPREFIX_FIXED_LENGTH'],
  },
  {
    field: 'compressionType',
    attribute: 'COMPRESSION',
    absent: 2,
    names: ['LZO', 'GZ', 'NONE', 'SNAPPY', 'LZ4', 'BZIP2', 'ZSTD'],
  },
  {
    field: 'dataBlockEncoding',
    attribute: 'DATA_BLOCK_ENCODING',
    absent: 0,
    names: ['NONE', undefined, 'PREFIX', 'DIFF', 'FAST_DIFF', undefined, undefined, 'ROW_INDEX_V1'],
  },
  {
    field: 'keepDeletedCells',
    attribute: 'KEEP_DELETED_CELLS',
    absent: 0,
    names: ['FALSE', 'TRUE', 'TTL'],
  },
]

/** Throws ILLEGAL_ARGUMENT for a number that HBase's gateway refuses before it asks the master. */
function checkNumbers(asked: Readonly<Record<string, unknown>>): void {
  const { maxVersions = 1, dfsReplication = 0 } = asked as { maxVersions?: number; dfsReplication?: number }
  if (maxVersions <= 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Maximum versions must be positive')
  if (dfsReplication < 0) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      'DFS replication factor cannot be less than 1 if explicitly set.',
    )
  }
}

/** The attributes of the fields that the client sent. Throws ILLEGAL_ARGUMENT. */
export function typedAttributesOf(asked: Readonly<Record<string, unknown>>): [string, string][] {
  checkNumbers(asked)
  const attributes: [string, string][] = []
  for (const { field, attribute } of [...NUMBERS, ...FLAGS, TIME_TO_LIVE]) {
    const value = asked[field] as number | boolean | undefined
    if (value !== undefined) attributes.push([attribute, String(value)])
  }
  for (const { field, attribute, absent, names } of ENUMS) {
    const value = asked[field]
    if (value !== undefined) attributes.push([attribute, names[Number(value)] ?? names[absent]!])
  }
  return attributes
}

const TIME_TO_LIVE = { field: 'timeToLive', attribute: 'TTL' }

/** All fields of a family, made from its attributes. */
export function typedFieldsOf(family: FamilyDescriptor): Record<string, number | boolean> {
  const { attributes } = family
  const fields: Record<string, number | boolean> = { timeToLive: timeToLiveSecondsOf(family) }
  for (const { field, attribute, absent } of NUMBERS) {
    const text = attributes.get(attribute) ?? ''
    fields[field] = /^-?\d{1,10}$/.test(text) ? Number(text) : absent
  }
  for (const { field, attribute, absent } of FLAGS) {
    const text = attributes.get(attribute)
    fields[field] = text === undefined ? absent : text.toLowerCase() === 'true'
  }
  for (const { field, attribute, absent, names } of ENUMS) {
    const number = names.indexOf(attributes.get(attribute)?.toUpperCase())
    fields[field] = number < 0 ? absent : number
  }
  return fields
}
