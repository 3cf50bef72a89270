/**
 * A scan as protobuf: cell sets of ten rows, each behind its length as 16 bits. HBase: ProtobufStreamingOutput. A set
 * that is longer has the low 16 bits of its length there; sets that fit are all that HBase's clients can read.
 */

import { CellSetProtobufWriter } from '../../../wire/rest/cell-set-protobuf.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import type { Answer } from '../http/answer.ts'
import type { CellSetType, Negotiated } from '../http/media-type.ts'
import { writeRows } from '../rows/cell-set-answer.ts'
import type { PagedScan } from './scan-answer.ts'

/** hbase.rest.scan.fetchsize */
export const FRAME_ROWS = 10
const LENGTH_BYTES = 2
const CHUNK_BYTES = 64 * 1024

/** Closes the scan in the end. */
export function framesAnswer(
  open: PagedScan,
  { contentType }: Negotiated<CellSetType>,
  limit: number,
): Answer {
  return { status: 200, contentType, body: frames(open, limit) }
}

async function* frames(open: PagedScan, limit: number): AsyncGenerator<Buffer> {
  const out = new OutputBuffer()
  const writer = new CellSetProtobufWriter()
  try {
    // Of fewer rows than fill a frame there is always one, if an empty one.
    if (limit < FRAME_ROWS || open.page.counts.length > 0) {
      do {
        const start = out.reserve(LENGTH_BYTES)
        out.length = start + LENGTH_BYTES
        writer.begin()
        writeRows(writer, out, open.page)
        writer.end(out)
        out.buffer.writeUInt16BE((out.length - start - LENGTH_BYTES) & 0xffff, start)
        if (out.length >= CHUNK_BYTES) yield out.take()
      } while (await open.next())
    }
    if (out.length > 0) yield out.take()
  } finally {
    await open.close()
  }
}
