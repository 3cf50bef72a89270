/** A table's regions and their servers. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { xmlElement } from './xml-writer.ts'

export interface RegionInfo {
  /** `table,startKey,id.encoded.` */
  readonly name: string
  readonly id: number
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** host:port */
  readonly location: string
}

export function tableInfoDocument(table: string, regions: readonly RegionInfo[]): RestDocument {
  return {
    text: () => regions.map(regionText).join(''),
    xml: () => xmlElement('TableInfo', [['name', table]], regions.map(regionXml).join('')),
    json: () => ({ name: table, Region: regions.map(regionJson) }),
    protobuf: () => protobuf(table, regions),
  }
}

function regionText(region: RegionInfo): string {
  const { name, id, location } = region
  const startKey = region.startKey.toString()
  const endKey = region.endKey.toString()
  const fields = [`id=${id}`, `startKey='${startKey}'`, `endKey='${endKey}'`, `location='${location}'`]
  return `${name} [\n${fields.map((field) => `  ${field}\n`).join('')}]\n`
}

function regionXml(region: RegionInfo): string {
  return xmlElement('Region', [
    ['endKey', region.endKey.toString('base64')],
    ['id', region.id],
    ['location', region.location],
    ['name', region.name],
    ['startKey', region.startKey.toString('base64')],
  ])
}

function regionJson(region: RegionInfo): unknown {
  return {
    id: region.id,
    startKey: region.startKey.toString('base64'),
    endKey: region.endKey.toString('base64'),
    location: region.location,
    name: region.name,
  }
}

function protobuf(table: string, regions: readonly RegionInfo[]): Uint8Array {
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).string(table)
  for (const region of regions) {
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(region.name)
    writer.tag(2, WireType.LengthDelimited).bytes(region.startKey)
    writer.tag(3, WireType.LengthDelimited).bytes(region.endKey)
    writer.tag(4, WireType.Varint).int64(region.id)
    writer.tag(5, WireType.LengthDelimited).string(region.location)
    writer.join()
  }
  return writer.finish()
}
