import { describe, expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { atOnce } from '../../src/model/steps.ts'
import {
  checkAttributes,
  checkModifiedTable,
  checkNamespaceIsEmpty,
  checkNamespaceIsNotReserved,
  checkSplitKeys,
  checkTable,
} from '../../src/model/table-checks.ts'
import { describeTable } from '../../src/model/table-description.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const NAME = parseTableName('t')
const BYPASS =
  ' Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks'

function failure(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof HBaseError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'nothing'
}

function familyFailure(key: string, value: string): string {
  return failure(() => checkTable(tableDescriptor(NAME, [familyDescriptor('f', [[key, value]])])))
}

function tableFailure(key: string, value: string): string {
  return failure(() => checkTable(tableDescriptor(NAME, [familyDescriptor('f')], [[key, value]])))
}

it.each(['SPLIT_POLICY', 'hbase.regionserver.region.split.policy'])(
  'refuses a policy of splits that there is not, by the attribute %s',
  (key) => {
    expect(tableFailure(key, 'none.Such')).toContain("region split policy 'none.Such' for table 't'")
    expect(tableFailure(key, 'org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy')).toBe('nothing')
  },
)

it.each(['bogus', 'skip_wal', 'SKIP_WAL '])(
  'refuses the durability "%s", at which a region server aborts',
  (text) => {
    expect(tableFailure('DURABILITY', text)).toBe(
      `ILLEGAL_ARGUMENT: No enum constant org.apache.hadoop.hbase.client.Durability.${text}`,
    )
  },
)

it.each(['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL'])(
  'takes the durability %s',
  (text) => {
    expect(tableFailure('DURABILITY', text)).toBe('nothing')
  },
)

const PACKAGE = 'org.apache.hadoop.hbase.coprocessor'
const ONLY_ON_HBASE =
  'Tidegate runs no Java, and a table that needs a coprocessor, such as one of Phoenix, works only on HBase itself'

it.each([
  '|no.such.Observer|1073741823|',
  '| no.such.Observer | |a=b',
  'hdfs:///jars/observer.jar|no.such.Observer|',
  `file:///jars/own.jar|${PACKAGE}.AggregateImplementation|1|`,
])('refuses a coprocessor that it does not have: "%s"', (value) => {
  const [, name] = value.split('|').map((part) => part.trim())
  const expected = `DO_NOT_RETRY: Class ${name} cannot be loaded: ${ONLY_ON_HBASE}`
  expect(tableFailure('coprocessor$1', value)).toBe(expected)
  expect(tableFailure('CoProcessor$23', value)).toBe(expected)
})

it.each([
  ['coprocessor$1', `|${PACKAGE}.AggregateImplementation|`],
  ['coprocessor$2', `| ${PACKAGE}.MultiRowMutationEndpoint |536870911|k=v`],
  ['coprocessor$', '|no.such.Observer|'],
  ['coprocessor$1', 'no.such.Observer'],
  ['coprocessor$1', '||5|'],
  ['coprocessor$1', '|no.such.Observer|first|'],
])('takes the attribute %s of "%s", which HBase passes over or which is built in', (key, value) => {
  expect(tableFailure(key, value)).toBe('nothing')
})

/** As HBase 2.6.1 answered. */
const refusedFamilies: [string, string, string][] = [
  ['VERSIONS', '-1', 'Min versions for column family f must be less than the Max versions.'],
  ['MIN_VERSIONS', '-1', 'Min versions for column family f  must be positive.'],
  ['MIN_VERSIONS', '2', 'Min versions for column family f must be less than the Max versions.'],
  ['BLOCKSIZE', '1000', 'Block size for column family f  must be between 1K and 16MB.'],
  ['BLOCKSIZE', '16777217', 'Block size for column family f  must be between 1K and 16MB.'],
  ['TTL', '0', 'TTL for column family f must be positive.'],
  ['TTL', '-5', 'TTL for column family f must be positive.'],
  [
    'COMPRESSION',
    'LZO',
    'java.lang.RuntimeException: java.lang.ClassNotFoundException: com.hadoop.compression.lzo.LzoCodec',
  ],
  [
    'COMPRESSION',
    'LZMA',
    'java.lang.RuntimeException: java.lang.ClassNotFoundException: org.apache.hadoop.hbase.io.compress.xz.LzmaCodec',
  ],
  [
    'COMPRESSION_COMPACT',
    'brotli',
    'java.lang.RuntimeException: java.lang.ClassNotFoundException: ' +
      'org.apache.hadoop.hbase.io.compress.brotli.BrotliCodec',
  ],
  ['COMPRESSION', 'bzip2', 'java.lang.UnsupportedOperationException'],
  [
    'COMPRESSION_COMPACT_MAJOR',
    'LZO',
    'java.lang.RuntimeException: java.lang.ClassNotFoundException: com.hadoop.compression.lzo.LzoCodec',
  ],
  ['COMPRESSION', 'FOO', 'No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.FOO'],
  ...['AES', 'XYZ'].map((cipher): [string, string, string] => [
    'ENCRYPTION',
    cipher,
    'Key provider org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider failed test: ' +
      'java.lang.RuntimeException: KeyProvider scheme should specify KeyStore type',
  ]),
  ['BLOOMFILTER', 'X', 'Failed to get bloom filter param'],
  ['REPLICATION_SCOPE', '5', 'Replication scope for column family f is 5 which is invalid.'],
  ['DFS_REPLICATION', '-1', 'HFile Replication for column family f  must be greater than zero.'],
]

describe('tables', () => {
  it.each(refusedFamilies)('are refused for a family with %s %s', (key, value, message) => {
    expect(familyFailure(key, value)).toBe(`DO_NOT_RETRY: ${message}${BYPASS}`)
  })

  it.each([
    ['VERSIONS', '0'],
    ['COMPRESSION', 'gz'],
    ['BLOOMFILTER', 'rowcol'],
    ['KEEP_DELETED_CELLS', 'ttl'],
    ['DATA_BLOCK_ENCODING', 'FAST_DIFF'],
    ['REPLICATION_SCOPE', '1'],
    ['IN_MEMORY', 'x'],
    ['UNKNOWN', 'x'],
    ['TTL', '604800 SECONDS (7 DAYS)'],
    ['ENCRYPTION', ''],
  ])('are taken with a family of %s %s', (key, value) => {
    expect(familyFailure(key, value)).toBe('nothing')
  })

  it.each([
    ['VERSIONS', 'x', 'VERSIONS of column family f must be a whole number. For input string: "x"'],
    [
      'MIN_VERSIONS',
      '1.5',
      'MIN_VERSIONS of column family f must be a whole number. For input string: "1.5"',
    ],
    ['BLOCKSIZE', '64 KB', 'BLOCKSIZE of column family f must be a whole number. For input string: "64 KB"'],
    [
      'TTL',
      'soon',
      'TTL of column family f must be seconds or a time such as "7 DAYS". For input string: "soon"',
    ],
    ['KEEP_DELETED_CELLS', 'X', 'KEEP_DELETED_CELLS of column family f must be FALSE, TRUE or TTL, not "X"'],
    ['DATA_BLOCK_ENCODING', 'X', 'No enum constant org.apache.hadoop.hbase.io.encoding.DataBlockEncoding.X'],
  ])('are refused for what cannot be read: %s %s', (key, value, message) => {
    expect(familyFailure(key, value)).toBe(`ILLEGAL_ARGUMENT: ${message}`)
  })

  it('are not kept unencrypted where they ask for encryption, even without the checks', () => {
    const family = familyDescriptor('f', [['ENCRYPTION', 'AES']])
    const table = tableDescriptor(NAME, [family], [['hbase.table.sanity.checks', 'false']])
    expect(failure(() => checkTable(table))).toMatch(/^ILLEGAL_ARGUMENT: Key provider /)
    // A cluster may have a key provider.
    expect(failure(() => checkAttributes(table))).toBe('nothing')
  })

  it('are refused for sizes that make no sense, and without families', () => {
    expect(tableFailure('MAX_FILESIZE', '1')).toMatch(
      /^DO_NOT_RETRY: MAX_FILESIZE for table descriptor or .*\(1\)/,
    )
    expect(tableFailure('MEMSTORE_FLUSHSIZE', '1')).toMatch(/^DO_NOT_RETRY: MEMSTORE_FLUSHSIZE for table/)
    expect(tableFailure('MEMSTORE_FLUSHSIZE', 'x')).toBe(
      'ILLEGAL_ARGUMENT: MEMSTORE_FLUSHSIZE must be a whole number. For input string: "x"',
    )
    expect(tableFailure('REGION_REPLICATION', '0')).toMatch(/region replication should be at least one/)
    expect(tableFailure('REGION_REPLICATION', '2147483647')).toBe('nothing')
    expect(tableFailure('REGION_REPLICATION', '2147483648')).toBe(
      'ILLEGAL_ARGUMENT: REGION_REPLICATION must be a whole number. For input string: "2147483648"',
    )
    expect(failure(() => checkTable(tableDescriptor(NAME, [])))).toBe(
      `DO_NOT_RETRY: Table should have at least one column family.${BYPASS}`,
    )
  })

  it('may switch the checks off', () => {
    const family = familyDescriptor('f', [['BLOCKSIZE', '1']])
    const table = tableDescriptor(NAME, [family], [['hbase.table.sanity.checks', 'false']])
    expect(failure(() => checkTable(table))).toBe('nothing')
  })

  it('keep their file tracker', () => {
    const before = tableDescriptor(NAME, [familyDescriptor('f')])
    const after = tableDescriptor(NAME, before.families, [['hbase.store.file-tracker.impl', 'FILE']])
    expect(failure(() => checkModifiedTable(before, after))).toBe(
      'DO_NOT_RETRY: Should change to MIGRATION first when migrating from DEFAULT for family f of table t',
    )
    expect(failure(() => checkModifiedTable(before, { ...before, attributes: new Map() }))).toBe('nothing')
  })

  it('are printed as HBase prints them', () => {
    const family = familyDescriptor('f', [
      ['TTL', '694861'],
      ['BLOCKSIZE', '100000'],
      ['VERSIONS', '5'],
    ])
    const table = tableDescriptor(NAME, [family], [['DURABILITY', 'SKIP_WAL']])
    expect(describeTable(table)).toBe(
      "'t', {TABLE_ATTRIBUTES => {DURABILITY => 'SKIP_WAL', METADATA => {'hbase.store.file-tracker.impl' => " +
        "'DEFAULT'}}}, {NAME => 'f', INDEX_BLOCK_ENCODING => 'NONE', VERSIONS => '5', KEEP_DELETED_CELLS => 'FALSE', " +
        "DATA_BLOCK_ENCODING => 'NONE', TTL => '694861 SECONDS (8 DAYS 1 HOUR 1 MINUTE 1 SECOND)', MIN_VERSIONS => '0', " +
        "REPLICATION_SCOPE => '0', BLOOMFILTER => 'ROW', IN_MEMORY => 'false', COMPRESSION => 'NONE', BLOCKCACHE => " +
        "'true', BLOCKSIZE => '100000 B (97KB 672B)'}",
    )
    expect(describeTable({ name: NAME, attributes: new Map(), families: [] })).toBe("'t'")
  })
})

describe('split keys', () => {
  it('are put in order, and refused where they are double or empty', () => {
    const keys = ['b', 'a\xff', 'a'].map((key) => Buffer.from(key, 'latin1'))
    expect(atOnce(checkSplitKeys(keys)).map((key) => key.toString('latin1'))).toEqual(['a', 'a\xff', 'b'])
    const a = Buffer.from('a')
    expect(failure(() => atOnce(checkSplitKeys([a, a])))).toBe(
      'ILLEGAL_ARGUMENT: All split keys must be unique, found duplicate: a, a',
    )
    expect(failure(() => atOnce(checkSplitKeys([a, Buffer.alloc(0)])))).toBe(
      'ILLEGAL_ARGUMENT: Empty split key must not be passed in the split keys.',
    )
  })
})

describe('namespaces', () => {
  it('that are reserved stay, and so do those with tables', () => {
    expect(failure(() => checkNamespaceIsNotReserved('hbase'))).toBe(
      'CONSTRAINT: Reserved namespace hbase cannot be removed.',
    )
    expect(failure(() => checkNamespaceIsNotReserved('default'))).toMatch(/^CONSTRAINT/)
    expect(failure(() => checkNamespaceIsNotReserved('ns'))).toBe('nothing')
    expect(failure(() => checkNamespaceIsEmpty('ns', 1))).toBe(
      'CONSTRAINT: Only empty namespaces can be removed. Namespace ns has 1 tables',
    )
    expect(failure(() => checkNamespaceIsEmpty('ns', 0))).toBe('nothing')
  })
})
