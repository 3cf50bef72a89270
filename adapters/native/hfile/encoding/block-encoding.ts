/**
 * Encodings of data blocks, which leave out what a cell has in common with the one before. A block's payload is the
 * encoding's id (i16) and what the encoding makes of the cells. HBase: DataBlockEncoding, DataBlockEncoder.
 *
 * Encodings work on whole blocks of plain cells: `KeyValue | (tagsBytes i16 | tags)? | sequenceId vlong?`. A block is decoded
 * when it is loaded, so that the block cache, searches and loans of cells know plain cells only.
 */

import type { ByteOutput } from '../byte-output.ts'

/** The parts that an encoded cell has besides its KeyValue. */
export interface EncodedLayout {
  readonly tags: boolean
  readonly sequenceId: boolean
  /** Whether tags go through a dictionary. ROW_INDEX_V1 leaves them as they are. */
  readonly tagsCompressed: boolean
}

export interface BlockEncoding {
  /** HBase's name in a family's DATA_BLOCK_ENCODING and in a file's info. PERSISTED. */
  readonly name: string
  /** The number before each block. PERSISTED: never renumber. */
  readonly id: number
  /** Bytes that the block grows by for each row, beside its cells. */
  readonly rowBytes: number
  /** Appends source[start..end), whole cells of one family, behind the id. */
  encode(source: Buffer, start: number, end: number, layout: EncodedLayout, output: ByteOutput): void
  /** Bytes of the plain cells in source[start..end). Throws an Error where the payload cannot say. */
  plainBytes(source: Buffer, start: number, end: number): number
  /**
   * Writes the plain cells of source[start..end) to target[0..plainBytes). Throws an Error unless they take that many bytes.
   * The cells may still be nonsense: the caller checks them as it checks those of plain blocks.
   */
  decode(source: Buffer, start: number, end: number, layout: EncodedLayout, target: Buffer): void
}

/** Bytes of the encoding's id. */
const ID_BYTES = 2

/** Writes the payload of an ENCODED_DATA block: the plain cells source[start..end). */
export function writeEncoded(
  encoding: BlockEncoding,
  source: Buffer,
  start: number,
  end: number,
  layout: EncodedLayout,
  output: ByteOutput,
): void {
  output.reserve(ID_BYTES)
  output.buffer[output.length++] = encoding.id >>> 8
  output.buffer[output.length++] = encoding.id
  encoding.encode(source, start, end, layout, output)
}

/** Bytes of the plain cells of the payload source[start..end). Throws an Error where the payload cannot say. */
export function encodedPlainBytes(
  encoding: BlockEncoding,
  source: Buffer,
  start: number,
  end: number,
): number {
  const id = end - start < ID_BYTES ? -1 : (source[start]! << 8) | source[start + 1]!
  if (id !== encoding.id) throw new Error(`it has the encoding ${id}, not ${encoding.id}`)
  return encoding.plainBytes(source, start + ID_BYTES, end)
}

/** Writes the plain cells of the payload source[start..end) to target[0..encodedPlainBytes). Throws an Error. */
export function decodeEncoded(
  encoding: BlockEncoding,
  source: Buffer,
  start: number,
  end: number,
  layout: EncodedLayout,
  target: Buffer,
): void {
  encoding.decode(source, start + ID_BYTES, end, layout, target)
}
