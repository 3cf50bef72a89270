/** The region that a request names. */

import { HBaseError } from '../../../model/errors.ts'
import { META_REGION } from '../../../model/meta-table.ts'
import { parseRegionName } from '../../../model/region-name.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { regionNotOnline } from '../../../store/refusals.ts'
import type { RegionRef } from '../../../store/target.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'

/** RegionSpecifier.RegionSpecifierType. PERSISTED: never renumber. */
const ENCODED_REGION_NAME = 2

export interface RegionSpecifier {
  readonly isEncoded: boolean
  readonly name: Buffer
}

const NO_REGION: RegionSpecifier = { isEncoded: false, name: Buffer.alloc(0) }

export function readRegionSpecifier(reader: MessageReader): RegionSpecifier {
  let isEncoded = false
  let name = NO_REGION.name
  while (reader.next()) {
    if (reader.field === Field.RegionSpecifier.type) isEncoded = reader.uint32() === ENCODED_REGION_NAME
    else if (reader.field === Field.RegionSpecifier.value) name = reader.bytes()
    else reader.skip()
  }
  return { isEncoded, name }
}

/** A client asks for the same few regions again and again: their names are parsed once. */
const KNOWN_MAX = 10_000
const known = new Map<string, RegionRef>()

/** Throws NOT_SERVING_REGION for a name that is not of a region, DO_NOT_RETRY where the request names none. */
export function regionOf({ isEncoded, name }: RegionSpecifier): RegionRef {
  if (name.length === 0) throw new HBaseError('DO_NOT_RETRY', 'the request names no region')
  const text = name.toString('latin1')
  let ref = known.get(text)
  if (ref === undefined) {
    ref = isEncoded ? encodedRef(text) : fullRef(name)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, ref)
  }
  return ref
}

function fullRef(name: Buffer): RegionRef {
  if (name.equals(META_REGION.name) || name.equals(META_FULL_NAME)) return META_REF
  const parsed = parseRegionName(name)
  if (parsed === undefined) throw regionNotOnline(name.toString('latin1'))
  return { table: parseTableName(parsed.table), encodedName: parsed.encodedName }
}

const META_REF: RegionRef = { table: META_REGION.table, encodedName: META_REGION.encodedName }
/** As RegionInfo.getRegionName of clients since 2.3 has it. */
const META_FULL_NAME = Buffer.from(`${META_REGION.name.toString()}.${META_REGION.encodedName}`)

/** Clients name regions in full in the calls of ClientService; hbase:meta has one encoded name for ever. */
function encodedRef(encodedName: string): RegionRef {
  if (encodedName === META_REGION.encodedName) return META_REF
  throw regionNotOnline(encodedName)
}
