/**
 * Rows of hbase:meta: the key names a region, the columns of `info` describe it. HBase: CatalogFamilyFormat,
 * MetaTableAccessor.
 */

import { fromBinary } from '@bufbuild/protobuf'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { META_REGION } from '../../../src/model/meta-table.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import { type RegionInfo, RegionInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { stripMagic } from '../../../src/wire/rpc/protobuf-magic.ts'
import { tableNameFromMessage } from '../../../src/wire/rpc/table-name-message.ts'

/** A region as hbase:meta describes it. */
export interface LocatedRegion extends RegionLocation {
  /** NO_SERVER where no server has opened it. */
  readonly server: ServerName
  /** Grows with each opening of the region: of two locations, the larger one is newer. */
  readonly openSequenceId: number
}

/** In place of a server. */
export const NO_SERVER: ServerName = { host: '', port: 0, startCode: 0 }

export function metaRegion(server: ServerName): LocatedRegion {
  return { ...META_REGION, server, openSequenceId: 0 }
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

class MetaRow {
  readonly key: Buffer
  #info: RegionInfo | undefined
  #address = ''
  #startCode = 0
  #openSequenceId = 0

  constructor(key: Buffer) {
    this.key = key
  }

  set(qualifier: string, value: Buffer): void {
    switch (qualifier) {
      case 'regioninfo':
        this.#info = readRegionInfo(value, this.key)
        break
      case 'server':
        this.#address = value.toString('utf8')
        break
      case 'serverstartcode':
        this.#startCode = readLong(value)
        break
      case 'seqnumDuringOpen':
        this.#openSequenceId = readLong(value)
        break
      default:
    }
  }

  region(): LocatedRegion | undefined {
    const info = this.#info
    if (info === undefined || (info.offline && info.split)) return undefined
    const table = tableNameFromMessage(info.tableName ?? { namespace: EMPTY, qualifier: EMPTY })
    const startKey = Buffer.from(info.startKey)
    const regionId = Number(info.regionId)
    return {
      table,
      startKey,
      endKey: Buffer.from(info.endKey),
      regionId,
      ...regionName(table, startKey, regionId),
      server: this.#server(),
      openSequenceId: this.#openSequenceId,
    }
  }

  #server(): ServerName {
    const colon = this.#address.lastIndexOf(':')
    if (colon < 0) return NO_SERVER
    return {
      host: this.#address.slice(0, colon),
      port: Number(this.#address.slice(colon + 1)),
      startCode: this.#startCode,
    }
  }
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

/** Times and sequence ids, all far below 2^53. */
function readLong(value: Buffer): number {
  return value.length === 8 ? Number(value.readBigInt64BE(0)) : 0
}
