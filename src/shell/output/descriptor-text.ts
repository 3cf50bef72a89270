/**
 * Tables and families as `describe` prints them. HBase's shell prints a family's attributes in the order of a Java hash map, and so
 * does this shell.
 */

import type { Attributes, FamilyDescriptor } from '../../model/descriptor.ts'
import { humanReadableSeconds } from '../../model/table-description.ts'

/** The attributes of families that the client of HBase's shell 2.4 knows. It prints others as metadata. */
const FAMILY_WORDS = new Set(
  'BLOOMFILTER REPLICATION_SCOPE VERSIONS MIN_VERSIONS COMPRESSION TTL BLOCKSIZE IN_MEMORY BLOCKCACHE ENCODE_ON_DISK DATA_BLOCK_ENCODING KEEP_DELETED_CELLS ENCRYPTION ENCRYPTION_KEY IS_MOB MOB_THRESHOLD MOB_COMPACT_PARTITION_POLICY'.split(
    ' ',
  ),
)
/** The attributes of tables that the same client knows. */
const TABLE_WORDS = new Set(
  'MAX_FILESIZE READONLY MEMSTORE_FLUSHSIZE DEFERRED_LOG_FLUSH DURABILITY REGION_REPLICATION PRIORITY IS_META'.split(
    ' ',
  ),
)

function isTableWord(name: string): boolean {
  return TABLE_WORDS.has(name) || name.startsWith('coprocessor$')
}

/** `, {TABLE_ATTRIBUTES => {...}}`; empty where there are none. */
export function tableAttributesText(attributes: Attributes): string {
  const names = [...attributes.keys()].sort()
  const parts = names.filter(isTableWord).map((name) => `${name} => '${attributes.get(name)}'`)
  const others = names
    .filter((name) => !isTableWord(name))
    .map((name) => `'${name}' => '${attributes.get(name)}'`)
  if (others.length > 0) parts.push(`METADATA => {${others.join(', ')}}`)
  return parts.length === 0 ? '' : `, {TABLE_ATTRIBUTES => {${parts.join(', ')}}}`
}

export function familyText({ name, attributes, configuration }: FamilyDescriptor): string {
  const parts = [`NAME => '${name.toString()}'`]
  const others: string[] = []
  for (const key of inHashOrder([...attributes.keys()], bytesHash, 32)) {
    const value = attributes.get(key)!
    const shown = key === 'TTL' && /^\d{1,10}$/.test(value) ? humanReadableSeconds(Number(value)) : value
    if (FAMILY_WORDS.has(key)) parts.push(`${key} => '${shown}'`)
    else others.push(`'${key}' => '${shown}'`)
  }
  if (others.length > 0) parts.push(`METADATA => {${others.join(', ')}}`)
  const settings = inHashOrder([...(configuration?.keys() ?? [])], stringHash, 16)
  if (settings.length > 0) {
    const shown = settings.map((key) => `'${key}' => '${configuration!.get(key)}'`)
    parts.push(`CONFIGURATION => {${shown.join(', ')}}`)
  }
  return `{${parts.join(', ')}}`
}

/** HBase: WritableComparator.hashBytes. */
function bytesHash(text: string): number {
  let hash = 1
  for (const byte of Buffer.from(text)) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return hash
}

/** Java: String.hashCode. */
function stringHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0
  return hash
}

/**
 * The order in which a java.util.HashMap iterates over keys that were added in this order. `least`: the number of buckets at first. A
 * family's default attributes have already passed the limit of 16 buckets.
 */
function inHashOrder(keys: readonly string[], hashOf: (key: string) => number, least: number): string[] {
  let buckets = least
  while (keys.length > buckets * 0.75) buckets *= 2
  const place = (key: string): number => {
    const hash = hashOf(key)
    return (hash ^ (hash >>> 16)) & (buckets - 1)
  }
  return keys
    .map((key, index) => ({ key, index, place: place(key) }))
    .sort((a, b) => a.place - b.place || a.index - b.index)
    .map(({ key }) => key)
}
