/**
 * The last 4096 bytes of a file: `TRABLK"$`, the message FileTrailerProto behind its length as a varint, zeros, and the
 * version: minor in the first of the last four bytes, major in the other three. HBase: FixedFileTrailer, HFile.proto.
 */

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { HBaseError } from '../../../src/model/errors.ts'
import { BlockType, blockTypeAt, MAGIC_BYTES } from './block-type.ts'
import { corruptFile } from './corruption.ts'

export const TRAILER_BYTES = 4096
const VERSION_BYTES = 4
const MAJOR_VERSION = 3
/** The first minor version with a protobuf trailer; it has checksums, too. */
const MINOR_VERSION = 3

/** HBase 2 writes this name for its CellComparatorImpl, so that HBase 1 can read the file. PERSISTED. */
const COMPARATOR = 'org.apache.hadoop.hbase.KeyValue$KVComparator'

/** Offsets and sizes in bytes. */
export interface Trailer {
  readonly fileInfoOffset: number
  /** Offset of the root index, which begins the section that is read when a file is opened. */
  readonly loadOnOpenOffset: number
  readonly dataIndexBytes: number
  /** Bytes of all blocks before compression, and of the trailer. */
  readonly uncompressedBytes: number
  /** Entries of the data index's root. */
  readonly dataIndexCount: number
  readonly metaIndexCount: number
  readonly entryCount: number
  readonly dataIndexLevels: number
  /** -1 in a file without cells. */
  readonly firstDataBlockOffset: number
  readonly lastDataBlockOffset: number
  readonly codecOrdinal: number
}

/** Field numbers of FileTrailerProto. PERSISTED: never renumber. */
const Field = {
  FileInfoOffset: 1,
  LoadOnOpenOffset: 2,
  DataIndexBytes: 3,
  UncompressedBytes: 4,
  DataIndexCount: 5,
  MetaIndexCount: 6,
  EntryCount: 7,
  DataIndexLevels: 8,
  FirstDataBlockOffset: 9,
  LastDataBlockOffset: 10,
  ComparatorClassName: 11,
  CompressionCodec: 12,
  EncryptionKey: 13,
} as const

export function encodeTrailer(trailer: Trailer): Buffer {
  const message = new BinaryWriter().fork()
  const number = (field: number, value: number): void => {
    message.tag(field, WireType.Varint).uint64(BigInt.asUintN(64, BigInt(value)))
  }
  number(Field.FileInfoOffset, trailer.fileInfoOffset)
  number(Field.LoadOnOpenOffset, trailer.loadOnOpenOffset)
  number(Field.DataIndexBytes, trailer.dataIndexBytes)
  number(Field.UncompressedBytes, trailer.uncompressedBytes)
  number(Field.DataIndexCount, trailer.dataIndexCount)
  number(Field.MetaIndexCount, trailer.metaIndexCount)
  number(Field.EntryCount, trailer.entryCount)
  number(Field.DataIndexLevels, trailer.dataIndexLevels)
  number(Field.FirstDataBlockOffset, trailer.firstDataBlockOffset)
  number(Field.LastDataBlockOffset, trailer.lastDataBlockOffset)
  message.tag(Field.ComparatorClassName, WireType.LengthDelimited).string(COMPARATOR)
  number(Field.CompressionCodec, trailer.codecOrdinal)
  const bytes = Buffer.alloc(TRAILER_BYTES)
  bytes.write(BlockType.Trailer, 0, 'latin1')
  bytes.set(message.join().finish(), MAGIC_BYTES)
  bytes.writeInt32BE((MINOR_VERSION << 24) | MAJOR_VERSION, TRAILER_BYTES - VERSION_BYTES)
  return bytes
}

function majorVersion(bytes: Buffer): number {
  return bytes.readInt32BE(TRAILER_BYTES - VERSION_BYTES) & 0xffffff
}

/** Whether a file's last TRAILER_BYTES end as a trailer does. */
export function hasTrailerVersion(bytes: Buffer): boolean {
  return majorVersion(bytes) === MAJOR_VERSION
}

/** Decodes the last TRAILER_BYTES of the file `path`, which begin at `offset`. Throws CORRUPTION. */
export function decodeTrailer(bytes: Buffer, path: string, offset: number): Trailer {
  const major = majorVersion(bytes)
  if (major !== MAJOR_VERSION) {
    throw corruptFile(path, offset + TRAILER_BYTES - VERSION_BYTES, 'HFile version', MAJOR_VERSION, major)
  }
  if (blockTypeAt(bytes, 0) !== BlockType.Trailer) {
    const found = bytes.subarray(0, MAGIC_BYTES).toString('latin1')
    throw corruptFile(path, offset, 'trailer magic', BlockType.Trailer, JSON.stringify(found))
  }
  let numbers: Map<number, number>
  try {
    numbers = readNumbers(new BinaryReader(bytes.subarray(MAGIC_BYTES, TRAILER_BYTES - VERSION_BYTES)))
  } catch (cause) {
    throw corruptFile(path, offset + MAGIC_BYTES, 'trailer', 'a protobuf message', String(cause), cause)
  }
  if (numbers.has(Field.EncryptionKey)) {
    throw new HBaseError('IO', `${path} is an encrypted HFile, for which there is no key`)
  }
  const of = (field: number): number => numbers.get(field) ?? 0
  return {
    fileInfoOffset: of(Field.FileInfoOffset),
    loadOnOpenOffset: of(Field.LoadOnOpenOffset),
    dataIndexBytes: of(Field.DataIndexBytes),
    uncompressedBytes: of(Field.UncompressedBytes),
    dataIndexCount: of(Field.DataIndexCount),
    metaIndexCount: of(Field.MetaIndexCount),
    entryCount: of(Field.EntryCount),
    dataIndexLevels: of(Field.DataIndexLevels),
    firstDataBlockOffset: of(Field.FirstDataBlockOffset),
    lastDataBlockOffset: of(Field.LastDataBlockOffset),
    codecOrdinal: of(Field.CompressionCodec),
  }
}

/** The message's numbers by field; for a field of bytes its length. */
function readNumbers(reader: BinaryReader): Map<number, number> {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new Error(`it claims ${length} bytes`)
  const numbers = new Map<number, number>()
  while (reader.pos < end) {
    const [field, wireType] = reader.tag()
    if (wireType === WireType.Varint) numbers.set(field, Number(reader.int64()))
    else if (wireType === WireType.LengthDelimited) numbers.set(field, reader.bytes().length)
    else reader.skip(wireType, field)
  }
  return numbers
}
