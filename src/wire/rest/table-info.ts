/** A table's regions and their servers. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { LongDocument } from './document.ts'
import { jacksonText } from './jackson-text.ts'
import { xmlAround, xmlElement } from './xml-writer.ts'

export interface RegionInfo {
  /** `table,startKey,id.encoded.` */
  readonly name: string
  readonly id: number
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** host:port */
  readonly location: string
}

export function tableInfoDocument(table: string, regions: readonly RegionInfo[]): LongDocument {
  const [xmlBegin, xmlEnd] = xmlAround('TableInfo', [['name', table]])
  return {
    *text() {
      for (const region of regions) yield regionText(region)
    },
    *xml() {
      yield xmlBegin
      for (const region of regions) yield regionXml(region)
      yield xmlEnd
    },
    *json() {
      yield `{"name":${jacksonText(table)},"Region":[`
      for (const [index, region] of regions.entries())
        yield (index === 0 ? '' : ',') + jacksonText(regionJson(region))
      yield ']}'
    },
    *protobuf() {
      yield new BinaryWriter().tag(1, WireType.LengthDelimited).string(table).finish()
      for (const region of regions) yield regionProtobuf(region)
    },
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

function regionProtobuf(region: RegionInfo): Uint8Array {
  const writer = new BinaryWriter().tag(2, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.LengthDelimited).string(region.name)
  writer.tag(2, WireType.LengthDelimited).bytes(region.startKey)
  writer.tag(3, WireType.LengthDelimited).bytes(region.endKey)
  writer.tag(4, WireType.Varint).int64(region.id)
  writer.tag(5, WireType.LengthDelimited).string(region.location)
  return writer.join().finish()
}
