/**
 * The checks of HBase's master on tables, split keys and namespaces, for every store that keeps its own catalog. Rules and wording: org.apache.hadoop.hbase.util.TableDescriptorChecker, CreateTableProcedure,
 * ModifyTableProcedure, TableNamespaceManager of HBase 2.6.
 */

import { compareBytes } from './bytes.ts'
import { compactionPolicyFaults } from './compaction-policy-checks.ts'
import { notANumber, type TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'
import {
  type Codecs,
  checkFamilyAttributes,
  checkIsNotEncrypted,
  checkNames,
  compressionFaults,
  encryptionFaults,
  familyFaults,
  USUAL_CODECS,
  wholeNumber,
} from './family-checks.ts'
import { checkChangedTrackers, checkNewTrackers } from './file-trackers.ts'
import { type Steps, sortInSteps } from './steps.ts'
import { coprocessorFaults } from './table-coprocessors.ts'
import { DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, type TableName } from './table-name.ts'
import { splitPolicyOf } from './table-split-policy.ts'

const DURABILITIES: ReadonlySet<string> = new Set([
  'USE_DEFAULT',
  'SKIP_WAL',
  'ASYNC_WAL',
  'SYNC_WAL',
  'FSYNC_WAL',
])

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

const TABLE_INTEGERS = ['MAX_FILESIZE', 'MEMSTORE_FLUSHSIZE', 'REGION_REPLICATION']

const MIB = 1024 * 1024
/** HBase: hbase.hregion.max.filesize.limit. */
export const REGION_FILE_BYTES_MIN: number = 2 * MIB
/** HBase: hbase.hregion.memstore.flush.size.limit. */
export const MEMSTORE_FLUSH_BYTES_MIN: number = MIB

/**
 * Throws DO_NOT_RETRY, with the master's words, for an impossible table, and ILLEGAL_ARGUMENT for unreadable attributes.
 * HBase: TableDescriptorChecker.sanityCheck, which a table may switch off with the attribute `hbase.table.sanity.checks`.
 */
export function checkTable(table: TableDescriptor, codecs: Codecs = USUAL_CODECS): void {
  const isChecked = table.attributes.get('hbase.table.sanity.checks')?.toLowerCase() !== 'false'
  for (const fault of isChecked ? tableFaults(table, codecs) : []) throw insane(fault)
  for (const fault of isChecked ? coprocessorFaults(table) : []) throw notLoaded(fault)
  // These the attribute does not switch off.
  for (const fault of compactionPolicyFaults(table)) throw insane(fault)
  checkDurability(table)
  for (const family of table.families) {
    checkNames(family)
    checkIsNotEncrypted(family)
  }
}

/**
 * Throws ILLEGAL_ARGUMENT for attributes that are not the numbers or names that they should be. These checks need no
 * store.
 */
export function checkAttributes(table: TableDescriptor): void {
  for (const key of TABLE_INTEGERS) wholeNumber(table.attributes, key, 0)
  replicationOf(table)
  checkDurability(table)
  for (const family of table.families) checkFamilyAttributes(family)
}

/** Throws ILLEGAL_ARGUMENT for a number of copies that is none of Java's 32 bits. */
function replicationOf({ attributes }: TableDescriptor): number {
  const copies = wholeNumber(attributes, 'REGION_REPLICATION', 1)
  if (copies !== (copies | 0))
    throw notANumber('REGION_REPLICATION', attributes.get('REGION_REPLICATION') ?? '')
  return copies
}

function insane(fault: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `${fault} Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks`,
  )
}

/** HBase advises to switch its checks off, too: here that loads no class either. */
function notLoaded(fault: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `${fault}: Tidegate runs no Java, and a table that needs a coprocessor, such as one of Phoenix, works only on HBase itself`,
  )
}

/** In the order of the master's checks. */
function* tableFaults(table: TableDescriptor, codecs: Codecs): Generator<string> {
  const fileBytes = wholeNumber(table.attributes, 'MAX_FILESIZE', REGION_FILE_BYTES_MIN)
  if (fileBytes < REGION_FILE_BYTES_MIN) {
    yield `MAX_FILESIZE for table descriptor or "hbase.hregion.max.filesize" (${fileBytes}) is too small, ` +
      'which might cause over splitting into unmanageable number of regions.'
  }
  const flushBytes = wholeNumber(table.attributes, 'MEMSTORE_FLUSHSIZE', MEMSTORE_FLUSH_BYTES_MIN)
  if (flushBytes < MEMSTORE_FLUSH_BYTES_MIN) {
    yield `MEMSTORE_FLUSHSIZE for table descriptor or "hbase.hregion.memstore.flush.size" (${flushBytes}) is too ` +
      'small, which might cause very frequent flushing.'
  }
  const policy = splitPolicyOf(table)
  if (policy !== undefined && !SPLIT_POLICIES.has(policy)) {
    yield `Unable to load configured region split policy '${policy}' for table '${table.name}'`
  }
  for (const family of table.families) yield* compressionFaults(family, codecs)
  for (const family of table.families) yield* encryptionFaults(family)
  yield* compactionPolicyFaults(table)
  if (table.families.length === 0) yield 'Table should have at least one column family.'
  if (replicationOf(table) < 1) {
    yield 'Table region replication should be at least one.'
  }
  // The master of an HBase on a local file system: HDFS alone knows such policies.
  if (table.attributes.has('ERASURE_CODING_POLICY')) {
    yield 'Cannot manage Erasure Coding policy. Erasure Coding is only available on HDFS, but fs is LocalFileSystem'
  }
  for (const family of table.families) yield* familyFaults(family)
}

/** HBase's master takes any text, and its region servers abort when they open a region of the table. */
function checkDurability({ attributes }: TableDescriptor): void {
  const durability = attributes.get('DURABILITY')
  if (durability === undefined || DURABILITIES.has(durability)) return
  const reason = `No enum constant org.apache.hadoop.hbase.client.Durability.${durability}`
  throw new HBaseError('ILLEGAL_ARGUMENT', reason)
}

/**
 * The keys in byte order. Throws ILLEGAL_ARGUMENT, as the master and its client do, for an empty key or a key that comes
 * twice.
 */
export function* checkSplitKeys(splitKeys: readonly Buffer[]): Steps<Buffer[]> {
  const sorted = yield* sortInSteps(splitKeys, compareBytes)
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

/** Throws as checkTable, and DO_NOT_RETRY for what no new table may have. */
export function checkNewTable(table: TableDescriptor, codecs: Codecs = USUAL_CODECS): void {
  checkTable(table, codecs)
  checkNewTrackers(table)
}

/** Throws as checkTable, and DO_NOT_RETRY for changes that HBase's master never makes. */
export function checkModifiedTable(
  before: TableDescriptor,
  after: TableDescriptor,
  codecs: Codecs = USUAL_CODECS,
): void {
  checkTable(after, codecs)
  checkChangedTrackers(before, after)
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

function isReservedNamespace(name: string): boolean {
  return name === SYSTEM_NAMESPACE || name === DEFAULT_NAMESPACE
}

/** Throws CONSTRAINT for the namespaces that every store has, whose properties HBase lets clients change. */
export function checkNamespaceIsNotReserved(name: string): void {
  if (isReservedNamespace(name)) {
    throw new HBaseError('CONSTRAINT', `Reserved namespace ${name} cannot be removed.`)
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
