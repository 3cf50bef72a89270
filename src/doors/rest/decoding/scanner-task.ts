/** The thread task that decodes a large scanner document, and the form in which the result moves between threads. */

import type { Moved } from '../../../gateway/requests/decoding/task.ts'
import type { DecodeLimits } from '../../../model/decode-limits.ts'
import { asBuffer } from '../../../model/moved-memory.ts'
import {
  decodeScannerJson,
  decodeScannerProtobuf,
  decodeScannerTextJson,
  decodeScannerXml,
  type ScannerSpec,
} from '../../../wire/rest/scanner-spec.ts'
import { type DocumentBody, type DocumentDecoders, decodeDocument } from '../http/read-body.ts'
import { type StatedFailure, statedFailure } from './stated-failure.ts'

export const SCANNER_DECODERS: DocumentDecoders<ScannerSpec> = {
  json: decodeScannerJson,
  xml: decodeScannerXml,
  protobuf: decodeScannerProtobuf,
  textJson: decodeScannerTextJson,
}

export interface ScannerInput extends DocumentBody {
  readonly limits: DecodeLimits
}

/** Columns in one piece of memory, which moves without a copy. The receiving thread would create each buffer of an array anew. */
interface PackedColumns {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each column ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

type PackedScanner = Omit<ScannerSpec, 'columns'> & { readonly columns: PackedColumns }

/** The result of the task: it has either a scanner or a refusal. */
export interface ScannerOutput {
  readonly scanner?: PackedScanner
  readonly refused?: StatedFailure
}

export function task({ type, body, limits }: ScannerInput): Moved<ScannerOutput> {
  try {
    const spec = decodeDocument({ type, body: asBuffer(body) }, limits, SCANNER_DECODERS)
    const columns = packed(spec.columns)
    const [startRow, endRow] = [Buffer.from(spec.startRow), Buffer.from(spec.endRow)]
    return {
      value: { scanner: { ...spec, startRow, endRow, columns } },
      memory: [columns.bytes.buffer, columns.ends.buffer],
    }
  } catch (error) {
    return { value: { refused: statedFailure(error) }, memory: [] }
  }
}

function packed(columns: readonly Buffer[]): PackedColumns {
  const ends = new Uint32Array(columns.length)
  let end = 0
  for (const [index, column] of columns.entries()) ends[index] = end += column.length
  const bytes = new Uint8Array(end)
  for (const [index, column] of columns.entries()) bytes.set(column, ends[index]! - column.length)
  return { bytes, ends }
}

export function unpackedScanner({ columns: { bytes, ends }, ...spec }: PackedScanner): ScannerSpec {
  const all = asBuffer(bytes)
  const columns = Array.from(ends, (end, index) => all.subarray(index === 0 ? 0 : ends[index - 1]!, end))
  return { ...spec, startRow: asBuffer(spec.startRow), endRow: asBuffer(spec.endRow), columns }
}
