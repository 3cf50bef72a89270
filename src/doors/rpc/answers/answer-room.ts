import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HandedOver } from '../../../model/handed-over.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { cellBlockBytes } from '../../../wire/rpc/request-frame.ts'
import { LARGE_BYTES, type RpcAnswer } from '../contract/rpc-service.ts'
import { bytesOfLarge, compressedInThread, type PackedAnswer } from './packed-answer.ts'

/** Copies of the cells that an answer holds at the same time: the cells, and their encoded form. */
const CELL_COPIES = 2

/** The connection's part in making a large answer ready. */
interface Making {
  /** Aborted once the client has hung up. Undefined where the call has no such signal. */
  readonly gone: AbortSignal | undefined
  /** Compresses the cells of answers; undefined for a client that takes them uncompressed. */
  readonly compressor: CellBlockCompressor | undefined
}

/**
 * Resolves to an answer of more than LARGE_BYTES once the grant has its memory and its cells are compressed, if the client wants that.
 *
 * An answer that can be made again (a read) is dropped while the call waits for memory, and then read once more. Any other answer, such as a
 * page of a scanner, stays in memory meanwhile and counts there; it is refused at once where it has no room.
 *
 * Rejects with OVERLOADED after a wait in vain, with TOO_LARGE where not even an idle server has the memory, and with CALLER_GONE. An answer
 * that is not sent is released.
 */
export async function readyAnswer(
  answer: HandedOver<RpcAnswer>,
  grant: MemoryGrant,
  { gone, compressor }: Making,
): Promise<PackedAnswer> {
  const made = tryTakeRoom(grant, answer.value) ? answer.take() : await awaitRoom(answer, grant, gone)
  const isPlain = compressor === undefined || cellBlockBytes(made.cells ?? []) <= LARGE_BYTES
  return isPlain ? made : compressedInThread(made, compressor)
}

/** Takes the memory of the answer. False while other calls hold it. Releases the answer and throws TOO_LARGE where it exceeds the whole budget. */
function tryTakeRoom(grant: MemoryGrant, answer: RpcAnswer): boolean {
  const bytes = bytesOfLarge(answer)
  if (answer.isOfChange === true) {
    // The code of the change has counted this answer, and gives that memory back now.
    grant.note(bytes)
    return true
  }
  try {
    grant.checkEver(bytes, 'the answer')
  } catch (error) {
    answer.release?.()
    answer.onRefused?.()
    throw error
  }
  return grant.tryTake(neededFor(bytes, grant), 'the answer', 'answer')
}

/** Memory for an answer of so many bytes. Its cells do not count where the budget is too small for both copies. */
function neededFor(bytes: number, grant: MemoryGrant): number {
  return grant.canEverTake(CELL_COPIES * bytes) ? CELL_COPIES * bytes : bytes
}

async function awaitRoom(
  answer: HandedOver<RpcAnswer>,
  grant: MemoryGrant,
  gone: AbortSignal | undefined,
): Promise<RpcAnswer> {
  for (let read = answer; ; ) {
    const { again } = read.value
    if (again === undefined) return await awaitRoomHolding(read.take(), grant, gone)
    const bytes = releaseAnswer(read.take())
    const needed = neededFor(bytes, grant)
    // The dropped answer stays in the process until the garbage collector has run.
    grant.spent(bytes)
    await grant.atOnceOrLater(() => grant.take(needed, 'the answer', 'answer'), gone)
    read = new HandedOver(await again(bytes))
    // `tryTakeRoom` takes it again below, as the new answer may have another length.
    grant.give(needed)
    if (bytesOfLarge(read.value) <= LARGE_BYTES || tryTakeRoom(grant, read.value)) return read.take()
  }
}

/** Releases an answer; returns its length in bytes. */
function releaseAnswer(answer: RpcAnswer): number {
  answer.release?.()
  return bytesOfLarge(answer)
}

async function awaitRoomHolding(
  answer: RpcAnswer,
  grant: MemoryGrant,
  gone: AbortSignal | undefined,
): Promise<RpcAnswer> {
  const bytes = bytesOfLarge(answer)
  try {
    await grant.takeHolding(bytes, neededFor(bytes, grant), 'the answer', gone)
    return answer
  } catch (error) {
    answer.release?.()
    answer.onRefused?.()
    throw error
  }
}
