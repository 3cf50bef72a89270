/** Tables as HBase prints them in messages: TableDescriptor.toString, with PrettyPrinter's times and sizes. */

import { abbreviated } from './bytes.ts'
import type { Attributes, FamilyDescriptor, TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'
import { TTL_FOREVER } from './time-to-live.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** `'t', {TABLE_ATTRIBUTES => {…}}, {NAME => 'f', VERSIONS => '1', …}`. */
export function describeTable(table: TableDescriptor): string {
  const parts = [`'${table.name}'`]
  if (table.attributes.size > 0)
    parts.push(`{TABLE_ATTRIBUTES => ${describeTableAttributes(table.attributes)}}`)
  for (const family of table.families) parts.push(describeFamily(family))
  return parts.join(', ')
}

/** HBase: TableDescriptorBuilder.RESERVED_KEYWORDS. */
const RESERVED: ReadonlySet<string> = new Set([
  'DURABILITY',
  'IS_META',
  'MAX_FILESIZE',
  'MEMSTORE_FLUSHSIZE',
  'PRIORITY',
  'READONLY',
  'REGION_REPLICATION',
])
const IN_BYTES: ReadonlySet<string> = new Set(['MAX_FILESIZE', 'MEMSTORE_FLUSHSIZE'])

/** Names that HBase reserves stand by themselves, coprocessors too, the others as metadata. */
function describeTableAttributes(attributes: Attributes): string {
  const reserved: string[] = []
  const metadata: string[] = []
  // HBase sorts them.
  for (const [name, value] of [...attributes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isReserved = RESERVED.has(name) || name.startsWith('coprocessor$')
    if (isReserved) reserved.push(`${name} => '${tableValue(name, value)}'`)
    else metadata.push(`'${name}' => '${value}'`)
  }
  if (metadata.length > 0) reserved.push(`METADATA => {${metadata.join(', ')}}`)
  return `{${reserved.join(', ')}}`
}

function tableValue(name: string, value: string): string {
  return IN_BYTES.has(name) && /^\d{1,15}$/.test(value) ? humanReadableBytes(Number(value)) : value
}

/** HBase: ColumnFamilyDescriptorBuilder.RESERVED_KEYWORDS. */
const RESERVED_OF_FAMILIES: ReadonlySet<string> = new Set([
  'BLOCKCACHE',
  'BLOCKSIZE',
  'BLOOMFILTER',
  'COMPRESSION',
  'DATA_BLOCK_ENCODING',
  'ENCRYPTION',
  'ENCRYPTION_KEY',
  'INDEX_BLOCK_ENCODING',
  'IN_MEMORY',
  'IS_MOB',
  'KEEP_DELETED_CELLS',
  'MIN_VERSIONS',
  'MOB_COMPACT_PARTITION_POLICY',
  'MOB_THRESHOLD',
  'REPLICATION_SCOPE',
  'TTL',
  'VERSIONS',
])

function describeFamily(family: FamilyDescriptor): string {
  const parts = [`NAME => '${family.name.toString()}'`]
  const metadata: string[] = []
  for (const [name, value] of family.attributes) {
    const shown = `'${humanReadable(name, value)}'`
    if (RESERVED_OF_FAMILIES.has(name)) parts.push(`${name} => ${shown}`)
    else metadata.push(`'${name}' => ${shown}`)
  }
  if (metadata.length > 0) parts.push(`METADATA => {${metadata.join(', ')}}`)
  const settings = [...(family.configuration ?? [])].map(([name, value]) => `'${name}' => '${value}'`)
  if (settings.length > 0) parts.push(`CONFIGURATION => {${settings.join(', ')}}`)
  return `{${parts.join(', ')}}`
}

function humanReadable(name: string, value: string): string {
  if (!/^\d{1,10}$/.test(value)) return value
  if (name === 'TTL') return humanReadableSeconds(Number(value))
  if (name === 'BLOCKSIZE') return humanReadableBytes(Number(value))
  return value
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 'S'}`
}

/** HBase: PrettyPrinter, of a time. */
export function humanReadableSeconds(seconds: number): string {
  if (seconds === TTL_FOREVER) return 'FOREVER'
  if (seconds < MINUTE) return plural(seconds, 'SECOND')
  const counts: [number, string][] = [
    [Math.floor(seconds / DAY), 'DAY'],
    [Math.floor((seconds % DAY) / HOUR), 'HOUR'],
    [Math.floor((seconds % HOUR) / MINUTE), 'MINUTE'],
    [seconds % MINUTE, 'SECOND'],
  ]
  const parts = counts.filter(([count]) => count > 0).map(([count, unit]) => plural(count, unit))
  return `${seconds} SECONDS (${parts.join(' ')})`
}

function humanReadableBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const parts: string[] = []
  let rest = bytes
  for (const [unit, size] of [
    ['TB', 1024 ** 4],
    ['GB', 1024 ** 3],
    ['MB', 1024 * 1024],
    ['KB', 1024],
    ['B', 1],
  ] as const) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return `${bytes} B (${parts.join(' ')})`
}

/** Longer names are abbreviated. */
const SHORT_BYTES = 128
/** The descriptions of tables in errors: thousands of failures of one request may name the same table. */
const described = new WeakMap<TableDescriptor, string>()

/** HBase's error for a family that the table does not have: HRegion.checkFamily, with RegionInfo.getRegionNameAsString. */
export function noSuchColumnFamily(family: Buffer, regionName: Buffer, table: TableDescriptor): HBaseError {
  let description = described.get(table)
  if (description === undefined) {
    description = describeTable(table)
    described.set(table, description)
  }
  return new HBaseError(
    'NO_SUCH_COLUMN_FAMILY',
    `Column family ${shortText(family)} does not exist in region ${abbreviated(regionName)} in table ${description}`,
  )
}

function shortText(name: Buffer): string {
  return name.length > SHORT_BYTES ? abbreviated(name) : name.toString()
}
