/**
 * The checks of HBase's master on tables, families, split keys and namespaces, for every store that keeps its own
 * catalog. Rules and wording: org.apache.hadoop.hbase.util.TableDescriptorChecker, CreateTableProcedure,
 * ModifyTableProcedure, TableNamespaceManager of HBase 2.6.
 */

import { compareBytes } from './bytes.ts'
import {
  type Attributes,
  BLOCK_BYTES_MAX,
  BLOCK_BYTES_MIN,
  type FamilyDescriptor,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  statedBlockBytesOf,
  type TableDescriptor,
  timeToLiveSecondsOf,
} from './descriptor.ts'
import { HBaseError } from './errors.ts'
import { DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, type TableName } from './table-name.ts'

/** Names of COMPRESSION, upper-case, that a store has: asking for one may load its library. */
export type Codecs = Pick<ReadonlySet<string>, 'has'>

/** For stores that compress nothing: what the native engine has on every platform that its libraries are built for. */
export const USUAL_CODECS: Codecs = new Set(['NONE', 'GZ', 'SNAPPY', 'LZ4', 'ZSTD'])

/** Compression.Algorithm: the class that HBase looks for if a codec is missing. */
const CODEC_CLASSES: ReadonlyMap<string, string> = new Map([
  ['LZO', 'com.hadoop.compression.lzo.LzoCodec'],
  ['SNAPPY', 'org.apache.hadoop.io.compress.SnappyCodec'],
  ['LZ4', 'org.apache.hadoop.io.compress.Lz4Codec'],
  ['ZSTD', 'org.apache.hadoop.io.compress.ZStandardCodec'],
  ['LZMA', 'org.apache.hadoop.hbase.io.compress.xz.LzmaCodec'],
  ['BROTLI', 'org.apache.hadoop.hbase.io.compress.brotli.BrotliCodec'],
])

const DURABILITIES: ReadonlySet<string> = new Set([
  'USE_DEFAULT',
  'SKIP_WAL',
  'ASYNC_WAL',
  'SYNC_WAL',
  'FSYNC_WAL',
])

const CODEC_SETTINGS = [
  'COMPRESSION',
  'COMPRESSION_COMPACT',
  'COMPRESSION_COMPACT_MAJOR',
  'COMPRESSION_COMPACT_MINOR',
]

const DATA_BLOCK_ENCODINGS: ReadonlySet<string> = new Set([
  'NONE',
  'PREFIX',
  'DIFF',
  'FAST_DIFF',
  'ROW_INDEX_V1',
])

const MEMORY_COMPACTION_POLICIES: ReadonlySet<string> = new Set(['NONE', 'BASIC', 'EAGER', 'ADAPTIVE'])

/** The classes of HBase 2.6 that decide when a region is split. */
export const SPLIT_POLICIES: ReadonlySet<string> = new Set(
  [
    'BusyRegionSplitPolicy',
    'ConstantSizeRegionSplitPolicy',
    'DelimitedKeyPrefixRegionSplitPolicy',
    'DisabledRegionSplitPolicy',
    'IncreasingToUpperBoundRegionSplitPolicy',
    'KeyPrefixRegionSplitPolicy',
    'SteppingSplitPolicy',
  ].map((name) => `org.apache.hadoop.hbase.regionserver.${name}`),
)

const FILE_TRACKER = 'hbase.store.file-tracker.impl'

const TABLE_INTEGERS = ['MAX_FILESIZE', 'MEMSTORE_FLUSHSIZE', 'REGION_REPLICATION']
const FAMILY_INTEGERS = ['VERSIONS', 'MIN_VERSIONS', 'BLOCKSIZE', 'REPLICATION_SCOPE', 'DFS_REPLICATION']

/** Serial replication, which HBase takes without a word of it in its documentation. */
const REPLICATION_SCOPE_MAX = 2

const MIB = 1024 * 1024
const REGION_FILE_BYTES_MIN = 2 * MIB
const MEMSTORE_FLUSH_BYTES_MIN = MIB

/**
 * Throws DO_NOT_RETRY, with the master's words, for an impossible table, and ILLEGAL_ARGUMENT for unreadable attributes.
 * HBase: TableDescriptorChecker.sanityCheck, which a table may switch off with the attribute `hbase.table.sanity.checks`.
 */
export function checkTable(table: TableDescriptor, codecs: Codecs = USUAL_CODECS): void {
  const isChecked = table.attributes.get('hbase.table.sanity.checks')?.toLowerCase() !== 'false'
  for (const fault of tableFaults(table, codecs)) {
    if (isChecked) throw insane(fault)
  }
  checkDurability(table)
  for (const family of table.families) checkEnumerations(family)
}

/**
 * Throws ILLEGAL_ARGUMENT for attributes that are not the numbers or names that they should be. These checks need no
 * store.
 */
export function checkAttributes(table: TableDescriptor): void {
  for (const key of TABLE_INTEGERS) tableInteger(table.attributes, key, 0)
  checkDurability(table)
  for (const family of table.families) {
    for (const key of FAMILY_INTEGERS) tableInteger(family.attributes, key, 0)
    timeToLiveSecondsOf(family)
    checkEnumerations(family)
  }
}

function insane(fault: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `${fault} Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks`,
  )
}

/** In the order of the master's checks. */
function* tableFaults(table: TableDescriptor, codecs: Codecs): Generator<string> {
  const fileBytes = tableInteger(table.attributes, 'MAX_FILESIZE', REGION_FILE_BYTES_MIN)
  if (fileBytes < REGION_FILE_BYTES_MIN) {
    yield `MAX_FILESIZE for table descriptor or "hbase.hregion.max.filesize" (${fileBytes}) is too small, ` +
      'which might cause over splitting into unmanageable number of regions.'
  }
  const flushBytes = tableInteger(table.attributes, 'MEMSTORE_FLUSHSIZE', MEMSTORE_FLUSH_BYTES_MIN)
  if (flushBytes < MEMSTORE_FLUSH_BYTES_MIN) {
    yield `MEMSTORE_FLUSHSIZE for table descriptor or "hbase.hregion.memstore.flush.size" (${flushBytes}) is too ` +
      'small, which might cause very frequent flushing.'
  }
  const policy = table.attributes.get('SPLIT_POLICY')
  if (policy !== undefined && !SPLIT_POLICIES.has(policy)) {
    yield `Unable to load configured region split policy '${policy}' for table '${table.name}'`
  }
  for (const family of table.families) yield* compressionFaults(family, codecs)
  if (table.families.length === 0) yield 'Table should have at least one column family.'
  if (tableInteger(table.attributes, 'REGION_REPLICATION', 1) < 1) {
    yield 'Table region replication should be at least one.'
  }
  for (const family of table.families) yield* familyFaults(family)
}

function* compressionFaults(family: FamilyDescriptor, codecs: Codecs): Generator<string> {
  for (const key of CODEC_SETTINGS) {
    const codec = (family.attributes.get(key) ?? 'NONE').toUpperCase()
    if (codecs.has(codec)) continue
    const className = CODEC_CLASSES.get(codec)
    if (codec === 'BZIP2') yield 'java.lang.UnsupportedOperationException'
    else if (className === undefined)
      yield `No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.${codec}`
    else yield `java.lang.RuntimeException: java.lang.ClassNotFoundException: ${className}`
  }
}

function* familyFaults(family: FamilyDescriptor): Generator<string> {
  const name = family.name.toString()
  if (timeToLiveSecondsOf(family) <= 0) yield `TTL for column family ${name} must be positive.`
  const blockBytes = statedBlockBytesOf(family)
  if (blockBytes < BLOCK_BYTES_MIN || blockBytes > BLOCK_BYTES_MAX) {
    yield `Block size for column family ${name}  must be between 1K and 16MB.`
  }
  if (minVersionsOf(family) < 0) yield `Min versions for column family ${name}  must be positive.`
  if (minVersionsOf(family) > maxVersionsOf(family)) {
    yield `Min versions for column family ${name} must be less than the Max versions.`
  }
  const scope = tableInteger(family.attributes, 'REPLICATION_SCOPE', 0)
  if (scope < 0 || scope > REPLICATION_SCOPE_MAX) {
    yield `Replication scope for column family ${name} is ${scope} which is invalid.`
  }
  if (!/^(NONE|ROW|ROWCOL)$/i.test(family.attributes.get('BLOOMFILTER') ?? 'ROW')) {
    yield 'Failed to get bloom filter param'
  }
  if (tableInteger(family.attributes, 'DFS_REPLICATION', 0) < 0) {
    yield `HFile Replication for column family ${name}  must be greater than zero.`
  }
  const policy = (family.attributes.get('IN_MEMORY_COMPACTION') ?? 'NONE').toUpperCase()
  if (!MEMORY_COMPACTION_POLICIES.has(policy)) {
    yield `No enum constant org.apache.hadoop.hbase.MemoryCompactionPolicy.${policy}`
  }
}

/** HBase's master takes any text, and its region servers abort when they open a region of the table. */
function checkDurability({ attributes }: TableDescriptor): void {
  const durability = attributes.get('DURABILITY')
  if (durability === undefined || DURABILITIES.has(durability)) return
  const reason = `No enum constant org.apache.hadoop.hbase.client.Durability.${durability}`
  throw new HBaseError('ILLEGAL_ARGUMENT', reason)
}

/** HBase accepts these values at create and then cannot open the region: only here is Tidegate stricter. */
function checkEnumerations(family: FamilyDescriptor): void {
  keepDeletedCellsOf(family)
  const encoding = (family.attributes.get('DATA_BLOCK_ENCODING') ?? 'NONE').toUpperCase()
  if (!DATA_BLOCK_ENCODINGS.has(encoding)) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `No enum constant org.apache.hadoop.hbase.io.encoding.DataBlockEncoding.${encoding}`,
    )
  }
}

function tableInteger(attributes: Attributes, key: string, otherwise: number): number {
  const text = attributes.get(key)
  if (text === undefined) return otherwise
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new HBaseError('ILLEGAL_ARGUMENT', `For input string: "${text}"`)
  return Number(text)
}

/**
 * The keys in byte order. Throws ILLEGAL_ARGUMENT, as the master and its client do, for an empty key or a key that comes
 * twice.
 */
export function checkSplitKeys(splitKeys: readonly Buffer[]): Buffer[] {
  const sorted = [...splitKeys].sort(compareBytes)
  for (const [index, key] of sorted.entries()) {
    if (key.length === 0)
      throw new HBaseError('ILLEGAL_ARGUMENT', 'Empty split key must not be passed in the split keys.')
    if (index > 0 && key.equals(sorted[index - 1]!)) {
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `All split keys must be unique, found duplicate: ${key.toString('latin1')}, ${key.toString('latin1')}`,
      )
    }
  }
  return sorted
}

/** Throws as checkTable, and DO_NOT_RETRY for changes that HBase's master never makes. */
export function checkModifiedTable(
  before: TableDescriptor,
  after: TableDescriptor,
  codecs: Codecs = USUAL_CODECS,
): void {
  checkTable(after, codecs)
  const tracker = before.attributes.get(FILE_TRACKER) ?? 'DEFAULT'
  const wanted = after.attributes.get(FILE_TRACKER) ?? 'DEFAULT'
  if (tracker.toUpperCase() !== wanted.toUpperCase()) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Should change to MIGRATION first when migrating from ${tracker} for family ` +
        `${before.families[0]?.name.toString() ?? ''} of table ${before.name}`,
    )
  }
}

export function tableNotFound(table: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_FOUND', table)
}

export function tableExists(table: TableName): HBaseError {
  return new HBaseError('TABLE_EXISTS', table)
}

export function namespaceNotFound(name: string): HBaseError {
  return new HBaseError('NAMESPACE_NOT_FOUND', name)
}

export function namespaceExists(name: string): HBaseError {
  return new HBaseError('NAMESPACE_EXISTS', `Namespace ${name} already exists`)
}

export function isReservedNamespace(name: string): boolean {
  return name === SYSTEM_NAMESPACE || name === DEFAULT_NAMESPACE
}

/** Throws CONSTRAINT for the namespaces that every store has. */
export function checkNamespaceIsNotReserved(name: string, verb: 'removed' | 'modified'): void {
  if (isReservedNamespace(name)) {
    throw new HBaseError('CONSTRAINT', `Reserved namespace ${name} cannot be ${verb}.`)
  }
}

/** Throws CONSTRAINT where a namespace still has tables. */
export function checkNamespaceIsEmpty(name: string, tables: number): void {
  if (tables > 0) {
    throw new HBaseError(
      'CONSTRAINT',
      `Only empty namespaces can be removed. Namespace ${name} has ${tables} tables`,
    )
  }
}
