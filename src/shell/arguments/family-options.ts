/** The attributes of a column family as `create` and `alter` state them. HBase: Admin.hcd. */

import { type FamilyDescriptor, familyDescriptor } from '../../model/descriptor.ts'
import { secondsInWords } from '../../model/time-to-live.ts'
import { refuse } from '../output/shell-error.ts'
import { isTrue, RubyHash, textOf, type Value } from '../ruby/values.ts'
import { booleanOf, int32Of, int64Of } from './argument-values.ts'

type Reader = (value: Value, name: string) => string

const COMPRESSIONS = ['LZO', 'GZ', 'ZSTD', 'EnumDesc', 'LZ4', 'NONE', 'SNAPPY', 'BZIP2']
const COMPRESSION_NAMES = new Set([...COMPRESSIONS, 'LZMA', 'BROTLI'])
const BLOOM_TYPES = ['NONE', 'ROW', 'ROWCOL', 'ROWPREFIX_FIXED_LENGTH']
const ENCODINGS = ['NONE', 'PREFIX', 'DIFF', 'FAST_DIFF', 'ROW_INDEX_V1']
const KEEPING = ['FALSE', 'TRUE', 'TTL']

const flag: Reader = (value) => String(booleanOf(value))
const int32: Reader = (value, name) => String(int32Of(value, name))
const int64: Reader = (value, name) => String(int64Of(value, name))
const upperText: Reader = (value) => textOf(value).toUpperCase()

const READERS: Readonly<Record<string, Reader>> = {
  BLOCKCACHE: flag,
  REPLICATION_SCOPE: int32,
  CACHE_DATA_ON_WRITE: flag,
  CACHE_INDEX_ON_WRITE: flag,
  CACHE_BLOOMS_ON_WRITE: flag,
  EVICT_BLOCKS_ON_CLOSE: flag,
  IN_MEMORY: flag,
  IN_MEMORY_COMPACTION: upperText,
  TTL: timeToLive,
  DATA_BLOCK_ENCODING: (value) =>
    oneOf(ENCODINGS, textOf(value), 'org.apache.hadoop.hbase.io.encoding.DataBlockEncoding'),
  BLOCKSIZE: int32,
  VERSIONS: (value, name) => positive(value, name, 'Maximum versions must be positive'),
  MIN_VERSIONS: int32,
  KEEP_DELETED_CELLS: (value) =>
    oneOf(KEEPING, textOf(value).toUpperCase(), 'org.apache.hadoop.hbase.KeepDeletedCells'),
  COMPRESS_TAGS: flag,
  PREFETCH_BLOCKS_ON_OPEN: flag,
  IS_MOB: flag,
  MOB_THRESHOLD: int64,
  NEW_VERSION_BEHAVIOR: flag,
  BLOOMFILTER: bloomType,
  COMPRESSION: compression,
  COMPRESSION_COMPACT: compression,
  ENCRYPTION: upperText,
  STORAGE_POLICY: upperText,
  MOB_COMPACT_PARTITION_POLICY: upperText,
  DFS_REPLICATION: dfsReplication,
}

/** A family from its name or from a hash with NAME. `known`: the present family; undefined: a new one. Prints the options that it ignores. */
export function familyOf(
  stated: Value,
  known: (name: string) => FamilyDescriptor | undefined,
  print: (line: string) => void,
): FamilyDescriptor {
  if (!(stated instanceof RubyHash)) return familyDescriptor(textOf(stated))
  const options = stated.copy()
  const named = options.take('NAME')
  if (!isTrue(named)) refuse(`Column family ${textOf(stated)} must have a name`)
  const name = textOf(named!)
  const before = known(name)
  const attributes = new Map(before?.attributes)
  const configuration = new Map(before?.configuration)
  for (const [key, read] of Object.entries(READERS)) {
    const value = options.take(key)
    if (value !== undefined) attributes.set(key, read(value, key))
  }
  addPairs(options.take('METADATA'), 'METADATA', attributes)
  addPairs(options.take('CONFIGURATION'), 'CONFIGURATION', configuration)
  for (const [unknown] of options.entries())
    print(`Unknown argument ignored for column family ${name}: ${textOf(unknown)}`)
  return familyDescriptor(name, attributes, configuration)
}

/** Adds the pairs of a hash, as text, to `target`. A value of nil removes the key. */
export function addPairs(stated: Value | undefined, name: string, target: Map<string, string>): void {
  if (!isTrue(stated)) return
  if (!(stated instanceof RubyHash)) refuse(`${name} must be a Hash type`)
  for (const [key, value] of stated.entries()) {
    if (value === null) target.delete(textOf(key))
    else target.set(textOf(key), textOf(value))
  }
}

/** A time to live in seconds. Like HBase, it reads an invalid text as 0, which the master then refuses. */
function timeToLive(value: Value): string {
  const text = textOf(value).trim()
  if (/^-?\d+$/.test(text)) return text
  return String(secondsInWords(text.toUpperCase()) ?? 0)
}

/**
 * A positive number. HBase's shell leaves this check to ColumnFamilyDescriptorBuilder. Its master has no such check, and a family of 0 versions
 * loses its cells.
 */
function positive(value: Value, name: string, refusal: string): string {
  const number = int32Of(value, name)
  return number > 0 ? String(number) : refuse(refusal)
}

/** The number of copies of each file; 0: the file system's default. */
function dfsReplication(value: Value, name: string): string {
  const refusal = 'DFS replication factor cannot be less than 1 if explicitly set.'
  return int32Of(value, name) === 0 ? '0' : positive(value, name, refusal)
}

function oneOf(names: readonly string[], name: string, javaClass: string): string {
  return names.includes(name) ? name : refuse(`No enum constant ${javaClass}.${name}`)
}

function bloomType(value: Value): string {
  const name = textOf(value).toUpperCase()
  if (BLOOM_TYPES.includes(name)) return name
  refuse(`BloomFilter type ${name} is not supported. Use one of ${BLOOM_TYPES.join(' ')}`)
}

function compression(value: Value): string {
  const name = textOf(value).toUpperCase()
  if (COMPRESSION_NAMES.has(name)) return name
  refuse(`Compression ${name} is not supported. Use one of ${COMPRESSIONS.join(' ')}`)
}
