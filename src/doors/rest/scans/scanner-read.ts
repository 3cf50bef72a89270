/** Reads a stateful scanner (a batch of cells, or one cell's value) and deletes it. */

import { answerPart } from '../../../gateway/limits/answer-limits.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { OwnTurns } from '../../../gateway/requests/own-turns.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import { parseInt32 } from '../../../wire/text/int64-text.ts'
import { cellSetWriter } from '../answers/cell-set-answer.ts'
import { type Answer, NO_CACHE, OK } from '../http/answer.ts'
import { asNotFound, notFound, withStatus } from '../http/errors.ts'
import { BINARY, CELL_SET_TYPES, type CellSetType, type Negotiated } from '../http/media-type.ts'
import type { RestRequest } from '../http/request.ts'
import { negotiateRows, type RowsType } from '../http/rows-type.ts'
import { numberParameter } from '../parameters/number-parameter.ts'
import type { CellStream } from '../service/cell-stream.ts'
import type { RestService, StatefulScanner } from '../service/rest-service.ts'

type ReadType = RowsType | typeof BINARY
/** The value comes last: it is a single cell, and a client that accepts any type would lose the other cells of the batch. */
const READ_TYPES: readonly (CellSetType | typeof BINARY)[] = [...CELL_SET_TYPES, BINARY]
const NO_CONTENT: Answer = { status: 204 }

/** The cells that a read takes from its scanner. */
export type CellSource = Pick<CellStream, 'cursor' | 'next' | 'isInRow' | 'row' | 'putBack'>

interface ReadLimits {
  readonly rows: number
  readonly cells: number
  readonly bytes: number
  /** Counts the answer's bytes so far as memory. Returns false where the answer must end. */
  readonly mayGrow: (bytes: number) => boolean
}

/** The lease number of a scanner id; -1 for an id that this server never issued. */
function leaseNumber({ scannerIdPrefix }: RestService, id: string): number {
  const digits = id.startsWith(scannerIdPrefix) ? id.slice(scannerIdPrefix.length) : ''
  return /^[\da-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : -1
}

export async function readScanner(service: RestService, request: RestRequest, id: string): Promise<Answer> {
  const form = negotiateRows(request.accept, READ_TYPES)
  const isValue = form.type === BINARY
  const rows = isValue ? 1 : numberParameter(request.query, 'n', 0, parseInt32)
  const cells = isValue ? 1 : numberParameter(request.query, 'c', 0, parseInt32)
  const lease = leaseNumber(service, id)
  const { call } = request
  // QUIRK rest-scanner-other-read-after-the-end: each read after the end has the same answer.
  if (service.scanners.isFinished(lease, call)) return NO_CONTENT
  if (!service.scanners.has(lease, call))
    return (await service.forwarding?.answer(request, lease)) ?? notFound()
  const bytes = service.limits.responseBytesMax
  return await service.scanners.use(lease, call, async (stream, open) => {
    const turn = open.turn.then(async () => {
      const grant = new MemoryGrant(service.memory, false, call.memory)
      try {
        const mayGrow = (length: number): boolean => {
          grant.hold(length)
          return length <= answerPart(service.memory)
        }
        return await readBatch(stream, open, { rows, cells, bytes, mayGrow }, form, call)
      } finally {
        // From here on the connection counts the memory of the answer.
        grant.release()
      }
    })
    // The chain must not keep the answer: each open scanner would hold one in memory.
    open.turn = turn.then(nothing, nothing)
    try {
      const answer = await turn
      // A finished scanner no longer counts against the client's limit.
      if (answer === NO_CONTENT) await service.scanners.finish(lease, call)
      return answer
    } catch (error) {
      return await failedRead(service, lease, call, error)
    }
  })
}

function nothing(): void {}

export async function deleteScanner(service: RestService, request: RestRequest, id: string): Promise<Answer> {
  const lease = leaseNumber(service, id)
  if (await service.scanners.close(lease, request.call)) return OK
  return (await service.forwarding?.answer(request, lease)) ?? notFound()
}

async function readBatch(
  stream: CellStream,
  open: StatefulScanner,
  limits: ReadLimits,
  form: Negotiated<ReadType>,
  call: Call,
): Promise<Answer> {
  if (open.isEmpty) return NO_CONTENT
  const { type, contentType } = form
  try {
    if (type === BINARY) return await readValue(stream, contentType, call)
    const cells = limits.cells > 0 ? limits.cells : open.batch
    return await readCells(stream, { ...limits, cells }, { type, contentType }, call)
  } finally {
    stream.releaseIfRead()
  }
}

/** Bytes of an answer that are written between two checks of time and memory. */
const CHECK_BYTES = 16 * 1024

/**
 * Reads a batch of cells. Where the scanner fails after some cells, the answer has those cells, and the next read reports the failure if it
 * persists.
 * QUIRK rest-scanner-life-batch-0: HBase counts after it has read, so a batch of 0 gives one cell.
 */
export async function readCells(
  stream: CellSource,
  limits: ReadLimits,
  { type, contentType }: Negotiated<RowsType>,
  call: Call,
): Promise<Answer> {
  const writer = cellSetWriter(type)
  const out = new OutputBuffer()
  let row: Buffer | undefined
  let rows = 0
  const turns = new OwnTurns()
  let checkAt = CHECK_BYTES
  writer.begin(out)
  for (let cells = 0; cells < Math.max(limits.cells, 1) && out.length < limits.bytes; cells++) {
    if (out.length >= checkAt) {
      checkAt = out.length + CHECK_BYTES
      if (!limits.mayGrow(out.buffer.length)) break
      const pause = turns.pause()
      if (pause !== undefined) await pause
    }
    const next = stream.next(call)
    if (!(typeof next === 'boolean' ? next : await (row === undefined ? next : falseOnError(next)))) break
    if (row === undefined || !stream.isInRow(row)) {
      if (limits.rows > 0 && rows === limits.rows) {
        stream.putBack()
        break
      }
      row = stream.row()
      rows++
      writer.startRow(out, stream.cursor)
    }
    writer.cell(out, stream.cursor)
  }
  if (row === undefined) return NO_CONTENT
  writer.end(out)
  return { status: 200, contentType, headers: NO_CACHE, body: out.buffer.subarray(0, out.length) }
}

function falseOnError(next: Promise<boolean>): Promise<boolean> {
  return next.catch((error: unknown) => {
    if (!isHBaseError(error)) throw error
    return false
  })
}

async function readValue(stream: CellStream, contentType: string, call: Call): Promise<Answer> {
  if (!(await stream.next(call))) return NO_CONTENT
  const { row, family, qualifier, timestamp, value } = stream.cursor.parts()
  const column = Buffer.concat([family, Buffer.from(':'), qualifier])
  const headers = {
    ...NO_CACHE,
    'X-Row': row.toString('base64'),
    'X-Column': column.toString('base64'),
    'X-Timestamp': String(timestamp),
  }
  // A copy: the client may send the next read before this answer is written.
  return { status: 200, contentType, headers, body: Buffer.from(value) }
}

/**
 * The answer to a failed read. HBase: ScannerInstanceResource.get answers 410 where the table is disabled.
 * QUIRK rest-scanner-life-zzz: a missing family reads as the end of the scanner.
 */
async function failedRead(service: RestService, lease: number, call: Call, error: unknown): Promise<Answer> {
  if (!isHBaseError(error)) throw error
  if (error.code === 'TABLE_NOT_FOUND') throw asNotFound(error)
  if (error.code === 'NO_SUCH_COLUMN_FAMILY') return NO_CONTENT
  if (error.code !== 'TABLE_NOT_ENABLED') throw error
  await service.scanners.close(lease, call)
  throw withStatus(410, error, 'Gone')
}
