/**
 * A file's info: names with values of bytes, in order of the names. Its block has `PBUF`, the length as a varint, then
 * the message InfoProto { repeated BytesBytesPair map_entry = 1 }, BytesBytesPair { bytes first = 1, bytes second = 2 }.
 * HBase: HFileInfo, StoreFileWriter.
 */

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { compareBytes } from '../../../src/model/bytes.ts'
import { readLong, writeLong } from './byte-output.ts'

/** ProtobufMagic.PB_MAGIC. */
const PROTOBUF_MAGIC = Buffer.from('PBUF')

/** Names that HBase gives a meaning. PERSISTED. */
export const InfoKey = {
  LastKey: 'hfile.LASTKEY',
  AverageKeyBytes: 'hfile.AVG_KEY_LEN',
  AverageValueBytes: 'hfile.AVG_VALUE_LEN',
  CreateTime: 'hfile.CREATE_TIME_TS',
  BiggestCellKey: 'hfile.KEY_OF_BIGGEST_CELL',
  BiggestCellBytes: 'hfile.LEN_OF_BIGGEST_CELL',
  MaxTagsBytes: 'hfile.MAX_TAGS_LEN',
  TagsCompressed: 'hfile.TAGS_COMPRESSED',
  /** 1: each cell ends with its sequence id. */
  KeyValueVersion: 'KEY_VALUE_VERSION',
  /** The greatest sequence id of a cell. */
  MaxMemstoreTimestamp: 'MAX_MEMSTORE_TS_KEY',
  MaxSequenceId: 'MAX_SEQ_ID_KEY',
  MajorCompaction: 'MAJOR_COMPACTION_KEY',
  CompactionEvent: 'COMPACTION_EVENT_KEY',
  Historical: 'HISTORICAL',
  TimeRange: 'TIMERANGE',
  EarliestPut: 'EARLIEST_PUT_TS',
  DeleteFamilyCount: 'DELETE_FAMILY_COUNT',
  BloomFilterType: 'BLOOM_FILTER_TYPE',
  LastBloomKey: 'LAST_BLOOM_KEY',
  DataBlockEncoding: 'DATA_BLOCK_ENCODING',
  /** Ours: the encoded name of the region, and the family, that the file was written for, and FileRecord.id. HBase passes over them. */
  Region: 'TIDEGATE_REGION',
  Family: 'TIDEGATE_FAMILY',
  FileId: 'TIDEGATE_FILE',
} as const

export class FileInfo {
  readonly #entries = new Map<string, Buffer>()

  /** `name` is latin1 text. A later value replaces an earlier one. */
  set(name: string, value: Buffer): void {
    this.#entries.set(name, value)
  }

  setInt32(name: string, value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    this.set(name, bytes)
  }

  setLong(name: string, value: number): void {
    const bytes = Buffer.alloc(8)
    writeLong(bytes, 0, value)
    this.set(name, bytes)
  }

  /** Java's boolean: 0xff or 0. */
  setBoolean(name: string, value: boolean): void {
    this.set(name, Buffer.of(value ? 0xff : 0))
  }

  get(name: string): Buffer | undefined {
    return this.#entries.get(name)
  }

  /** Undefined where the name is missing or its value is not eight bytes. */
  getLong(name: string): number | undefined {
    const bytes = this.#entries.get(name)
    return bytes?.length === 8 ? readLong(bytes, 0) : undefined
  }

  getInt32(name: string): number | undefined {
    const bytes = this.#entries.get(name)
    return bytes?.length === 4 ? bytes.readInt32BE() : undefined
  }

  getBoolean(name: string): boolean {
    const bytes = this.#entries.get(name)
    return bytes?.length === 1 && bytes[0] !== 0
  }

  entries(): IterableIterator<[string, Buffer]> {
    return this.#entries.entries()
  }

  encode(): Buffer {
    const entries = [...this.#entries].map(([name, value]) => ({ name: Buffer.from(name, 'latin1'), value }))
    entries.sort((a, b) => compareBytes(a.name, b.name))
    const writer = new BinaryWriter().fork()
    for (const { name, value } of entries) {
      writer
        .tag(1, WireType.LengthDelimited)
        .fork()
        .tag(1, WireType.LengthDelimited)
        .bytes(name)
        .tag(2, WireType.LengthDelimited)
        .bytes(value)
        .join()
    }
    return Buffer.concat([PROTOBUF_MAGIC, writer.join().finish()])
  }

  /** Throws the protobuf reader's error, or an Error, if the bytes are no file info. */
  static decode(bytes: Buffer): FileInfo {
    if (!bytes.subarray(0, PROTOBUF_MAGIC.length).equals(PROTOBUF_MAGIC)) {
      throw new Error('it does not begin with PBUF')
    }
    const info = new FileInfo()
    // Once, into memory of its own: small pieces would keep the whole pools of Node in which they lie, for as long as the file is open.
    const own = Buffer.allocUnsafeSlow(bytes.length - PROTOBUF_MAGIC.length)
    bytes.copy(own, 0, PROTOBUF_MAGIC.length)
    const reader = new BinaryReader(own)
    const length = reader.uint32()
    const end = reader.pos + length
    if (end > reader.len) throw new Error(`it claims ${length} bytes`)
    while (reader.pos < end) {
      const [field, wireType] = reader.tag()
      if (field === 1 && wireType === WireType.LengthDelimited) {
        const [name, value] = decodePair(reader.bytes())
        info.set(name, value)
      } else {
        reader.skip(wireType, field)
      }
    }
    return info
  }
}

function decodePair(bytes: Uint8Array): [string, Buffer] {
  const reader = new BinaryReader(bytes)
  let name = ''
  let value: Buffer = Buffer.alloc(0)
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (field === 1 && wireType === WireType.LengthDelimited) name = viewOf(reader.bytes()).toString('latin1')
    else if (field === 2 && wireType === WireType.LengthDelimited) value = viewOf(reader.bytes())
    else reader.skip(wireType, field)
  }
  return [name, value]
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length)
}
