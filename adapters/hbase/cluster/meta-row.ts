/**
 * Rows of hbase:meta: the key names a region, the columns of `info` describe it. HBase: CatalogFamilyFormat,
 * MetaTableAccessor.
 */

import { fromBinary } from '@bufbuild/protobuf'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { META_REGION } from '../../../src/model/meta-table.ts'
import { regionName, replicaName } from '../../../src/model/region-name.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { RegionCopy, RegionLocation } from '../../../src/store/catalog.ts'
import { type RegionInfo, RegionInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { stripMagic } from '../../../src/wire/rpc/protobuf-magic.ts'
import { tableNameFromMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { MetaLocation } from '../registry/connection-registry.ts'

/** A region as hbase:meta describes it. */
export interface LocatedRegion extends RegionLocation {
  /** NO_SERVER where no server has opened it. */
  readonly server: ServerName
  /** Grows with each opening of the region: of two locations, the larger one is newer. */
  readonly openSequenceId: number
  /** The region's copies, which have names of their own; absent where it has none. */
  readonly copies?: readonly LocatedCopy[]
}

export interface LocatedCopy extends LocatedRegion {
  readonly replica: number
}

/** The copy of that number, or the region itself for 0; undefined where hbase:meta has no such copy. */
export function copyOf(region: LocatedRegion, replica: number): LocatedRegion | undefined {
  return replica === 0 ? region : region.copies?.find((copy) => copy.replica === replica)
}

/** Stands for the server of a region that no server has opened. */
export const NO_SERVER: ServerName = { host: '', port: 0, startCode: 0 }

export function metaRegion({ server, copies }: MetaLocation): LocatedRegion {
  const first = { ...META_REGION, server, openSequenceId: 0 }
  if (copies.length === 0) return first
  const named = (copy: RegionCopy): LocatedCopy => ({
    ...first,
    ...replicaName(META_REGION.name, copy.replica),
    ...copy,
  })
  return { ...first, copies: copies.map(named) }
}

/** The regions of the rows, in order, without split parents. Throws CORRUPTION. */
export function readMetaRows(block: CellBlock): LocatedRegion[] {
  const cursor = new CellCursor(block)
  const regions: LocatedRegion[] = []
  let row = new MetaRow(EMPTY)
  const finish = (): void => {
    const region = row.region()
    if (region !== undefined) regions.push(region)
  }
  while (cursor.next()) {
    const { row: key, qualifier, value } = cursor.parts()
    if (!key.equals(row.key)) {
      finish()
      row = new MetaRow(key)
    }
    row.set(qualifier.toString('latin1'), value)
  }
  finish()
  return regions
}

/** Columns of copies end in the copy's number. HBase: CatalogFamilyFormat.getServerColumn. */
const COPY_COLUMN = /^(server|serverstartcode|seqnumDuringOpen)_([0-9A-F]{4})$/

const STATE_COLUMN = /^state(?:_([0-9A-F]{4}))?$/
/** In these states the row still names the server that had the region last. */
const CLOSED_STATES: ReadonlySet<string> = new Set(['CLOSED', 'OFFLINE'])

/** One opening of a region or of a copy. */
interface Opening {
  address: string
  startCode: number
  openSequenceId: number
}

class MetaRow {
  readonly key: Buffer
  #info: RegionInfo | undefined
  readonly #opening: Opening = { address: '', startCode: 0, openSequenceId: 0 }
  /** The openings by the copy's number, in order: hbase:meta sorts its columns. */
  #copies: Map<number, Opening> | undefined
  /** As RegionLocation.closedReplicas. */
  #closed: number[] | undefined

  constructor(key: Buffer) {
    this.key = key
  }

  /** Takes one column of the row in. */
  set(qualifier: string, value: Buffer): void {
    if (qualifier === 'regioninfo') this.#info = readRegionInfo(value, this.key)
    else if (!setColumn(this.#opening, qualifier, value)) this.#setOfCopy(qualifier, value)
  }

  /** The region that the row describes; undefined for a split parent or a row without regioninfo. */
  region(): LocatedRegion | undefined {
    const info = this.#info
    if (info === undefined || (info.offline && info.split)) return undefined
    const table = tableNameFromMessage(info.tableName ?? { namespace: EMPTY, qualifier: EMPTY })
    const startKey = Buffer.from(info.startKey)
    const regionId = Number(info.regionId)
    const closed = this.#closed
    const region: LocatedRegion = {
      table,
      startKey,
      endKey: Buffer.from(info.endKey),
      regionId,
      ...regionName(table, startKey, regionId),
      server: serverOf(this.#opening),
      openSequenceId: this.#opening.openSequenceId,
      ...(closed && { closedReplicas: closed }),
    }
    return this.#copies === undefined ? region : { ...region, copies: copiesOf(region, this.#copies) }
  }

  #setOfCopy(qualifier: string, value: Buffer): void {
    const state = STATE_COLUMN.exec(qualifier)
    if (state !== null && CLOSED_STATES.has(value.toString('latin1')))
      this.#closed = [...(this.#closed ?? []), Number.parseInt(state[1] ?? '0', 16)]
    const [, column, digits] = COPY_COLUMN.exec(qualifier) ?? []
    if (column === undefined || digits === undefined) return
    const replica = Number.parseInt(digits, 16)
    this.#copies ??= new Map()
    const copy = this.#copies.get(replica) ?? { address: '', startCode: 0, openSequenceId: 0 }
    setColumn(copy, column, value)
    this.#copies.set(replica, copy)
  }
}

/** Sets the field of a column. False for a column that is no part of an opening. */
function setColumn(opening: Opening, column: string, value: Buffer): boolean {
  if (column === 'server') opening.address = value.toString('utf8')
  else if (column === 'serverstartcode') opening.startCode = readLong(value)
  else if (column === 'seqnumDuringOpen') opening.openSequenceId = readLong(value)
  else return false
  return true
}

function copiesOf(region: LocatedRegion, openings: ReadonlyMap<number, Opening>): LocatedCopy[] {
  return [...openings].map(([replica, opening]) => ({
    ...region,
    ...replicaName(region.name, replica),
    server: serverOf(opening),
    openSequenceId: opening.openSequenceId,
    replica,
  }))
}

function serverOf({ address, startCode }: Opening): ServerName {
  const colon = address.lastIndexOf(':')
  if (colon < 0) return NO_SERVER
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)), startCode }
}

function readRegionInfo(value: Buffer, row: Buffer): RegionInfo {
  try {
    return fromBinary(RegionInfoSchema, stripMagic(value))
  } catch (error) {
    throw new HBaseError('CORRUPTION', `info:regioninfo of ${row.toString('latin1')} is not a RegionInfo`, {
      cause: error,
    })
  }
}

/** Reads a time or a sequence id, which is far below 2^53. */
function readLong(value: Buffer): number {
  return value.length === 8 ? Number(value.readBigInt64BE(0)) : 0
}
