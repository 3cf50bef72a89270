/**
 * A scan as protobuf. HBase: ProtobufStreamingOutput, which writes only the low 16 bits of a length. Its clients cannot read longer cell
 * sets.
 * QUIRK rest-scan-other-star-limit-25-as-protobuf-ietf: the body is frames of ten rows, each a 16-bit length and a cell set.
 */

import { CellSetProtobufWriter } from '../../../wire/rest/cell-set-protobuf.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import { writePage } from '../answers/cell-set-answer.ts'
import type { PagedScan } from '../answers/paged-scan.ts'
import type { Answer } from '../http/answer.ts'
import type { Negotiated } from '../http/media-type.ts'
import type { RowsType } from '../http/rows-type.ts'

/** hbase.rest.scan.fetchsize */
export const FRAME_ROWS = 10
const LENGTH_BYTES = 2
const CHUNK_BYTES = 64 * 1024

/** Closes the scan at the end of the answer. */
export function framesAnswer(open: PagedScan, { contentType }: Negotiated<RowsType>, limit: number): Answer {
  return { status: 200, contentType, body: frames(open, limit) }
}

async function* frames(open: PagedScan, limit: number): AsyncGenerator<Buffer> {
  const out = new OutputBuffer()
  const writer = new CellSetProtobufWriter()
  try {
    // QUIRK rest-scan-protobuf-star-limit-0: with a limit below ten rows the body has one frame, even if it is empty.
    if (limit < FRAME_ROWS || open.page.counts.length > 0) {
      do {
        const start = out.reserve(LENGTH_BYTES)
        out.length = start + LENGTH_BYTES
        writer.begin()
        await writePage(writer, out, open.page)
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
