/** The region that a request names. */

import { abbreviated } from '../../../model/bytes.ts'
import { META_REGION } from '../../../model/meta-table.ts'
import { parseRegionName, parseReplicaName } from '../../../model/region-name.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { regionNotOnline } from '../../../store/refusals.ts'
import type { RegionRef } from '../../../store/target.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { NamedRegion } from './named-region.ts'
import { type RegionSpecifier, specifierAt } from './region-specifier.ts'

/** RegionSpecifier.RegionSpecifierType. PERSISTED: never renumber. */
const ENCODED_REGION_NAME = 2
/** An MD5 in hexadecimal digits. */
const ENCODED_BYTES = 32
/** Encoded name of hbase:meta's region or of one of its copies: a hash of 32 bits. */
const META_ENCODED = /^\d{1,10}$/

/** A region found by its name alone. `copy`: absent for the region itself. */
interface ParsedRegion extends RegionRef {
  readonly copy?: Pick<NamedRegion, 'replica' | 'copyOf'>
}

const NO_COPY = { replica: 0, copyOf: undefined }

export function readRegionSpecifier(reader: MessageReader): RegionSpecifier {
  let isEncoded = false
  let length = 0
  let end = 0
  while (reader.next()) {
    if (reader.field === Field.RegionSpecifier.type) isEncoded = reader.uint32() === ENCODED_REGION_NAME
    else if (reader.field === Field.RegionSpecifier.value) {
      length = reader.passBytes()
      end = reader.at
    } else reader.skip()
  }
  return specifierAt(reader.buffer, end - length, length, isEncoded)
}

/** Most names that are remembered. Clients ask for the same few regions again and again, so each name is parsed once. */
const KNOWN_MAX = 10_000
/** Longest name that is remembered, in bytes. A client may send a name of any length. */
const KNOWN_NAME_BYTES_MAX = 1024
const known = new Map<string, NamedRegion>()

/** Finds the region without the catalog. Undefined for an encoded name that is not remembered yet. Throws NOT_SERVING_REGION for a name of no region. */
export function refOfName(specifier: RegionSpecifier): NamedRegion | undefined {
  if (specifier.region !== undefined) return specifier.region
  const region = knownRegion(specifier)
  if (region !== undefined) specifier.region = region
  return region
}

function knownRegion(specifier: RegionSpecifier): NamedRegion | undefined {
  const { isEncoded, name } = specifier
  const region = name.length > KNOWN_NAME_BYTES_MAX ? undefined : known.get(keyOf(specifier))
  if (region !== undefined) return region
  // HBase decides by the name itself whether it is a full one, not by the request's type.
  if (!isEncoded || !isEncodedName(name)) return rememberRef(specifier, fullRef(name))
  return name.toString('latin1') === META_REF.encodedName ? rememberRef(specifier, META_REF) : undefined
}

function isEncodedName(name: Buffer): boolean {
  return name.length === ENCODED_BYTES || META_ENCODED.test(name.toString('latin1', 0, ENCODED_BYTES))
}

/** Remembers the region of a name. An encoded name never becomes that of another table. */
export function rememberRef(
  specifier: RegionSpecifier,
  { table, encodedName, copy = NO_COPY }: ParsedRegion,
): NamedRegion {
  const region = { table, encodedName, name: abbreviated(specifier.name), ...copy }
  if (specifier.name.length > KNOWN_NAME_BYTES_MAX) return region
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(keyOf(specifier), region)
  return region
}

function keyOf({ isEncoded, name }: RegionSpecifier): string {
  return `${isEncoded ? 'encoded' : 'full'} ${name.toString('latin1')}`
}

function fullRef(name: Buffer): ParsedRegion {
  if (name.equals(META_REGION.name) || name.equals(META_FULL_NAME)) return META_REF
  const copied = parseReplicaName(name)
  const isOfMeta = copied?.first.encodedName === META_REF.encodedName
  const parsed = isOfMeta ? META_REF : parseRegionName(copied?.first.name ?? name)
  if (parsed === undefined) throw regionNotOnline(abbreviated(name))
  const ref = { table: parseTableName(parsed.table), encodedName: parsed.encodedName }
  if (copied === undefined) return ref
  return { ...ref, copy: { replica: copied.replica, copyOf: abbreviated(copied.first.name) } }
}

const META_REF: RegionRef = { table: META_REGION.table, encodedName: META_REGION.encodedName }
/** The name that clients since 2.3 send: RegionInfo.getRegionName. */
const META_FULL_NAME = Buffer.from(`${META_REGION.name.toString()}.${META_REGION.encodedName}`)
