/** Thrift 1's ColumnDescriptor, which has a few of a family's attributes. */

import { splitColumn } from '../../../../model/column-name.ts'
import {
  type FamilyDescriptor,
  familyDescriptor,
  maxVersionsOf,
  timeToLiveSecondsOf,
} from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { TTL_FOREVER } from '../../../../model/time-to-live.ts'
import { ThriftException } from '../../contract/thrift-service.ts'

export interface ColumnDescriptor {
  /** The family's name, with or without a colon at its end. */
  readonly name?: Buffer
  readonly maxVersions: number
  readonly compression: string
  readonly inMemory: boolean
  readonly bloomFilterType: string
  readonly blockCacheEnabled: boolean
  readonly timeToLive: number
}

const COMPRESSIONS = ['none', 'gz', 'snappy', 'lzo', 'lz4', 'bzip2', 'zstd', 'lzma', 'brotli']
const BLOOM_TYPES = ['NONE', 'ROW', 'ROWCOL', 'ROWPREFIX_FIXED_LENGTH']

/** The family of a ColumnDescriptor. Throws IllegalArgument and ILLEGAL_ARGUMENT where HBase's gateway refuses it before it asks the master. */
export function familyFromColumnDescriptor(column: ColumnDescriptor): FamilyDescriptor {
  const compression = column.compression.toLowerCase()
  if (!COMPRESSIONS.includes(compression)) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Unsupported compression algorithm name: ${compression}`)
  }
  if (!BLOOM_TYPES.includes(column.bloomFilterType)) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `No enum constant org.apache.hadoop.hbase.regionserver.BloomType.${column.bloomFilterType}`,
    )
  }
  if (column.name === undefined || column.name.length === 0) {
    const message = 'column name is empty'
    const cause = new HBaseError('ILLEGAL_ARGUMENT', message)
    throw new ThriftException('IllegalArgument', { message }, { cause })
  }
  if (column.maxVersions <= 0) {
    throw new HBaseError('ILLEGAL_ARGUMENT', 'Maximum versions must be positive')
  }
  const seconds = column.timeToLive > 0 ? column.timeToLive : TTL_FOREVER
  return familyDescriptor(Buffer.from(splitColumn(column.name).family), [
    ['VERSIONS', String(column.maxVersions)],
    ['COMPRESSION', compression.toUpperCase()],
    ['IN_MEMORY', String(column.inMemory)],
    ['BLOCKCACHE', String(column.blockCacheEnabled)],
    ['TTL', String(seconds)],
    ['BLOOMFILTER', column.bloomFilterType],
  ])
}

export function columnDescriptorStruct(family: FamilyDescriptor): Record<string, unknown> {
  const { attributes } = family
  return {
    name: Buffer.concat([family.name, Buffer.from(':')]),
    maxVersions: maxVersionsOf(family),
    compression: attributes.get('COMPRESSION') ?? 'NONE',
    inMemory: attributes.get('IN_MEMORY')?.toLowerCase() === 'true',
    bloomFilterType: attributes.get('BLOOMFILTER') ?? 'ROW',
    blockCacheEnabled: attributes.get('BLOCKCACHE')?.toLowerCase() !== 'false',
    timeToLive: timeToLiveSecondsOf(family),
  }
}
