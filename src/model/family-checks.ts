/** The checks of HBase's master on column families. Rules and wording: TableDescriptorChecker of HBase 2.6. */

import {
  type Attributes,
  BLOCK_BYTES_MAX,
  BLOCK_BYTES_MIN,
  type FamilyDescriptor,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  notANumber,
  statedBlockBytesOf,
  timeToLiveSecondsOf,
} from './descriptor.ts'
import { HBaseError } from './errors.ts'

/** Names of COMPRESSION, upper-case, that a store has: asking for one may load its library. */
export type Codecs = Pick<ReadonlySet<string>, 'has'>

/** The codecs of stores that compress nothing: those of the native engine on every platform that its libraries are built for. */
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

const FAMILY_INTEGERS = ['VERSIONS', 'MIN_VERSIONS', 'BLOCKSIZE', 'REPLICATION_SCOPE', 'DFS_REPLICATION']

/** Serial replication, which HBase takes without a word of it in its documentation. */
const REPLICATION_SCOPE_MAX = 2

export function* compressionFaults(family: FamilyDescriptor, codecs: Codecs): Generator<string> {
  for (const key of CODEC_SETTINGS) {
    const codec = (family.attributes.get(key) ?? 'NONE').toUpperCase()
    if (codecs.has(codec)) continue
    const className = CODEC_CLASSES.get(codec)
    if (codec === 'BZIP2') yield 'java.lang.UnsupportedOperationException'
    else if (className === undefined)
      yield `No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.${codec}`
    else
      yield `java.lang.RuntimeException: java.lang.ClassNotFoundException: ${className}${missingCodecAdvice(codec)}`
  }
}

/** The command that brings a codec that is not installed; empty for one that Tidegate never has. `name`: as in COMPRESSION, upper-case. */
export function missingCodecAdvice(name: string): string {
  if (!USUAL_CODECS.has(name)) return ''
  return ` (Tidegate's package for ${name} has no build here, which is an optional package: run \`npm install --include=optional\` where Tidegate is installed)`
}

/** HBase without a key provider, as Tidegate has none: with each cipher, EncryptionTest fails at the provider first. */
export function* encryptionFaults({ attributes }: FamilyDescriptor): Generator<string> {
  if (attributes.get('ENCRYPTION') === undefined) return
  yield 'Key provider org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider failed test: ' +
    'java.lang.RuntimeException: KeyProvider scheme should specify KeyStore type'
}

/**
 * Throws ILLEGAL_ARGUMENT for a family whose cells would lie unencrypted in the files, even where a table has switched the
 * master's checks off. HBase then creates the table and cannot open its regions.
 */
export function checkIsNotEncrypted(family: FamilyDescriptor): void {
  for (const fault of encryptionFaults(family)) throw new HBaseError('ILLEGAL_ARGUMENT', fault)
}

export function* familyFaults(family: FamilyDescriptor): Generator<string> {
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
  const scope = wholeNumber(family.attributes, 'REPLICATION_SCOPE', 0)
  if (scope < 0 || scope > REPLICATION_SCOPE_MAX) {
    yield `Replication scope for column family ${name} is ${scope} which is invalid.`
  }
  if (!/^(NONE|ROW|ROWCOL)$/i.test(family.attributes.get('BLOOMFILTER') ?? 'ROW')) {
    yield 'Failed to get bloom filter param'
  }
  if (wholeNumber(family.attributes, 'DFS_REPLICATION', 0) < 0) {
    yield `HFile Replication for column family ${name}  must be greater than zero.`
  }
  const policy = (family.attributes.get('IN_MEMORY_COMPACTION') ?? 'NONE').toUpperCase()
  if (!MEMORY_COMPACTION_POLICIES.has(policy)) {
    yield `No enum constant org.apache.hadoop.hbase.MemoryCompactionPolicy.${policy}`
  }
}

/** Throws ILLEGAL_ARGUMENT for attributes that are not the numbers or names that they should be. */
export function checkFamilyAttributes(family: FamilyDescriptor): void {
  for (const key of FAMILY_INTEGERS) wholeNumber(family.attributes, key, 0)
  timeToLiveSecondsOf(family)
  checkNames(family)
}

/** Throws ILLEGAL_ARGUMENT. HBase accepts these names when it creates a table and then cannot open its regions. */
export function checkNames(family: FamilyDescriptor): void {
  keepDeletedCellsOf(family)
  const encoding = (family.attributes.get('DATA_BLOCK_ENCODING') ?? 'NONE').toUpperCase()
  if (!DATA_BLOCK_ENCODINGS.has(encoding)) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `No enum constant org.apache.hadoop.hbase.io.encoding.DataBlockEncoding.${encoding}`,
    )
  }
}

/** Throws ILLEGAL_ARGUMENT for an attribute that is no whole number. */
export function wholeNumber(attributes: Attributes, key: string, otherwise: number): number {
  const text = attributes.get(key)
  if (text === undefined) return otherwise
  if (!/^[+-]?\d{1,19}$/.test(text)) throw notANumber(key, text)
  const number = Number(text)
  // Java's greatest number of 64 bits is rounded to this one.
  if (Math.abs(number) > 2 ** 63) throw notANumber(key, text)
  return number
}
