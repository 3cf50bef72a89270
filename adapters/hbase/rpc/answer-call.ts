import { CellBlock } from '../../../src/model/cell-block.ts'
import { checkCellBlock, checkCellBlockInSteps } from '../../../src/model/check-cell-block.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import type { CellBlockCompressor } from '../../../src/wire/rpc/cell-block-compressor.ts'
import type { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import type { PendingCall } from './pending-call.ts'
import type { RpcResponse } from './rpc-connection.ts'
import { RpcError } from './rpc-error.ts'

interface Answer {
  readonly response: ResponseFrame
  readonly buffer: Buffer
  /** Returns the memory of a large frame; undefined: the next turn of the event loop may overwrite the frame. */
  readonly release: (() => void) | undefined
}

interface Decompression {
  readonly compressor: CellBlockCompressor | undefined
  readonly bytesMax: number
}

/** More bytes of cells than this are checked in steps, between which the event loop runs. */
const CHECKED_BYTES = 1024 * 1024

/** Ends a call with the server's answer, or with BAD_RESPONSE where that is malformed. With many cells in a large frame the call ends in a later turn. */
export function answerCall(call: PendingCall, answer: Answer, decompression: Decompression): void {
  const fail = (cause: unknown): void => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    call.reject(
      new RpcError('BAD_RESPONSE', `answer to ${call.method.name}: ${reason}`, { sent: true, cause }),
    )
  }
  try {
    const { response, buffer, release } = answer
    const cells = cellsOf(response.cells, decompression)
    const message = call.method.decode(buffer, response.messageStart, response.messageEnd)
    const resolve = (cellCount: number): void =>
      call.resolve({ message, cells, cellCount, release } as RpcResponse<never>)
    if (release !== undefined && cells.byteLength > CHECKED_BYTES)
      void manyATurn(checkCellBlockInSteps(cells)).then(resolve, fail)
    else resolve(cells === CellBlock.EMPTY ? 0 : checkCellBlock(cells))
  } catch (cause) {
    fail(cause)
  }
}

function cellsOf(cells: CellBlock, { compressor, bytesMax }: Decompression): CellBlock {
  if (compressor === undefined || cells.byteLength === 0) return cells
  return new CellBlock(compressor.decompress(cells.buffer.subarray(cells.start, cells.end), bytesMax))
}
