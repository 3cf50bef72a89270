/**
 * Tables, column families and namespaces as data. Attributes are HBase's own names with text values; unknown ones are
 * kept and given back. Family defaults: ColumnFamilyDescriptorBuilder.DEFAULT_VALUES of HBase 2.6.
 */

import { compareBytes } from './bytes.ts'
import { FAMILY_BYTES_MAX } from './cell.ts'
import { HBaseError } from './errors.ts'
import type { TableName } from './table-name.ts'
import { secondsInWords, TTL_FOREVER } from './time-to-live.ts'

export type Attributes = ReadonlyMap<string, string>

export interface FamilyDescriptor {
  readonly name: Buffer
  /** Complete: attributes that were not stated have their defaults. */
  readonly attributes: Attributes
  /** Settings that HBase keeps beside the attributes, and that only Thrift 2 sends. Undefined: none. */
  readonly configuration?: Attributes | undefined
}

export interface TableDescriptor {
  readonly name: TableName
  readonly attributes: Attributes
  /** In byte order of their names, each name once. */
  readonly families: readonly FamilyDescriptor[]
}

export interface NamespaceDescriptor {
  readonly name: string
  readonly properties: Attributes
}

/** In the order in which HBase's REST server prints them. */
const FAMILY_DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['INDEX_BLOCK_ENCODING', 'NONE'],
  ['VERSIONS', '1'],
  ['KEEP_DELETED_CELLS', 'FALSE'],
  ['DATA_BLOCK_ENCODING', 'NONE'],
  ['TTL', String(TTL_FOREVER)],
  ['MIN_VERSIONS', '0'],
  ['REPLICATION_SCOPE', '0'],
  ['BLOOMFILTER', 'ROW'],
  ['IN_MEMORY', 'false'],
  ['COMPRESSION', 'NONE'],
  ['BLOCKCACHE', 'true'],
  ['BLOCKSIZE', '65536'],
])

/** HBase 2.6 adds these attributes to every table that it creates. */
const TABLE_DEFAULTS: ReadonlyMap<string, string> = new Map([['hbase.store.file-tracker.impl', 'DEFAULT']])

/** Whether the family is replicated at all: HBase has scopes 1 and 2 for that. */
export function hasReplicationScope({ attributes }: FamilyDescriptor): boolean {
  return (attributes.get('REPLICATION_SCOPE') ?? '0') !== '0'
}

/** Throws ILLEGAL_ARGUMENT for a name that HBase refuses: ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName. */
function checkFamilyName(name: Buffer): void {
  if (name.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Column Family name can not be empty')
  if (name[0] === 0x2e) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `Column Family names cannot start with a period: ${name.toString()}`,
    )
  }
  for (const byte of name) {
    const control = byte < 0x20 || byte === 0x7f
    if (control || byte === 0x3a || byte === 0x5c || byte === 0x2f) {
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `Illegal character <${byte}>. Column Family names cannot contain control characters or colons: ${name.toString()}`,
      )
    }
  }
  if (name.toString() === 'recovered.edits') {
    throw new HBaseError('ILLEGAL_ARGUMENT', 'Column Family name cannot be: recovered.edits')
  }
  if (name.length > FAMILY_BYTES_MAX) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `The length of family name is bigger than ${FAMILY_BYTES_MAX}`)
  }
}

/** QUIRK rest-body-json-schema-attribute-empty-text: an empty value takes an attribute away, or back to its default. */
function setAttribute(
  attributes: Map<string, string>,
  key: string,
  value: string,
  defaults: ReadonlyMap<string, string>,
): void {
  const kept = value === '' ? defaults.get(key) : value
  if (kept === undefined) attributes.delete(key)
  else attributes.set(key, kept)
}

/**
 * A family with `stated` attributes over the defaults. A TTL in words becomes its seconds, as HBase's shell sends it and as
 * every client can read it. Throws ILLEGAL_ARGUMENT for an illegal name.
 */
export function familyDescriptor(
  name: Buffer | string,
  stated: Iterable<readonly [string, string]> = [],
  configuration?: Attributes,
): FamilyDescriptor {
  const bytes = typeof name === 'string' ? Buffer.from(name) : name
  checkFamilyName(bytes)
  const attributes = new Map(FAMILY_DEFAULTS)
  for (const [key, value] of stated) setAttribute(attributes, key, value, FAMILY_DEFAULTS)
  const seconds = secondsInWords(attributes.get('TTL')!)
  if (seconds !== undefined) attributes.set('TTL', String(seconds))
  const hasConfiguration = configuration !== undefined && configuration.size > 0
  return { name: bytes, attributes, ...(hasConfiguration && { configuration }) }
}

/** The table with other families, in order. Of several families of one name the last counts. */
export function withFamilies(table: TableDescriptor, families: Iterable<FamilyDescriptor>): TableDescriptor {
  return { ...table, families: tableDescriptor(table.name, families).families }
}

/** Throws ILLEGAL_ARGUMENT where two families have one name. HBase: TableDescriptorBuilder.setColumnFamily. */
export function checkFamiliesDiffer(families: readonly FamilyDescriptor[]): void {
  const names = new Set<string>()
  for (const { name } of families) {
    const text = name.toString('latin1')
    if (names.has(text)) {
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `Family '${name.toString()}' already exists so cannot be added`,
      )
    }
    names.add(text)
  }
}

/** A table with its families in order. Of several families of one name the last counts. */
export function tableDescriptor(
  name: TableName,
  families: Iterable<FamilyDescriptor>,
  stated: Iterable<readonly [string, string]> = [],
): TableDescriptor {
  const attributes = new Map(TABLE_DEFAULTS)
  for (const [key, value] of stated) setAttribute(attributes, key, value, TABLE_DEFAULTS)
  const byName = new Map<string, FamilyDescriptor>()
  for (const family of families) byName.set(family.name.toString('latin1'), family)
  const sorted = [...byName.values()].sort((a, b) => compareBytes(a.name, b.name))
  return { name, attributes, families: sorted }
}

export function findFamily(table: TableDescriptor, name: Buffer): FamilyDescriptor | undefined {
  return table.families.find((family) => family.name.equals(name))
}

function integerAttribute(family: FamilyDescriptor, key: string): number {
  const text = family.attributes.get(key) ?? FAMILY_DEFAULTS.get(key) ?? ''
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  // Java reads it as an int.
  if (value !== (value | 0)) {
    throw notANumber(`${key} of column family ${family.name.toString()}`, text)
  }
  return value
}

/** It ends in the words of the NumberFormatException at which HBase's master fails. */
export function notANumber(attribute: string, text: string): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `${attribute} must be a whole number. For input string: "${text}"`,
  )
}

export function maxVersionsOf(family: FamilyDescriptor): number {
  return integerAttribute(family, 'VERSIONS')
}

export function minVersionsOf(family: FamilyDescriptor): number {
  return integerAttribute(family, 'MIN_VERSIONS')
}

/** Bounds of BLOCKSIZE. HBase: TableDescriptorChecker. */
export const BLOCK_BYTES_MIN = 1024
export const BLOCK_BYTES_MAX: number = 16 * 1024 * 1024

/** Throws ILLEGAL_ARGUMENT. Negative for a table without sanity checks, whose cells do not expire then. */
export function timeToLiveSecondsOf(family: FamilyDescriptor): number {
  const text = family.attributes.get('TTL') ?? String(TTL_FOREVER)
  const seconds = secondsInWords(text)
  if (seconds !== undefined) return seconds
  if (/^[+-]?\d+$/.test(text)) return integerAttribute(family, 'TTL')
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `TTL of column family ${family.name.toString()} must be seconds or a time such as "7 DAYS". For input string: "${text}"`,
  )
}

export type KeepDeletedCells = 'FALSE' | 'TRUE' | 'TTL'

export function keepDeletedCellsOf(family: FamilyDescriptor): KeepDeletedCells {
  const text = (family.attributes.get('KEEP_DELETED_CELLS') ?? 'FALSE').toUpperCase()
  if (text === 'FALSE' || text === 'TRUE' || text === 'TTL') return text
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `KEEP_DELETED_CELLS of column family ${family.name.toString()} must be FALSE, TRUE or TTL, not "${text}"`,
  )
}

export type BloomType = 'NONE' | 'ROW' | 'ROWCOL'

export function bloomTypeOf(family: FamilyDescriptor): BloomType {
  const text = (family.attributes.get('BLOOMFILTER') ?? 'ROW').toUpperCase()
  return text === 'NONE' || text === 'ROWCOL' ? text : 'ROW'
}

/** BLOCKSIZE as it is stated, for those who check it. */
export function statedBlockBytesOf(family: FamilyDescriptor): number {
  return integerAttribute(family, 'BLOCKSIZE')
}

/** The size of a file's blocks. A table without sanity checks may state an impossible one: the nearest possible one counts. */
export function blockSizeBytesOf(family: FamilyDescriptor): number {
  return Math.min(Math.max(statedBlockBytesOf(family), BLOCK_BYTES_MIN), BLOCK_BYTES_MAX)
}
