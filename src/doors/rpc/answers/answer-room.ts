import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HandedOver } from '../../../model/handed-over.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { cellBlockBytes } from '../../../wire/rpc/request-frame.ts'
import { LARGE_BYTES, type RpcAnswer } from '../contract/rpc-service.ts'
import { bytesOfLarge, type PackedAnswer, packedAside } from './packed-answer.ts'

/** Its cells, and their encoded form. */
const OF_CELLS = 2

/** How an answer of more than LARGE_BYTES is made ready. */
interface Making {
  /** Aborted once the client no longer waits. */
  readonly gone: AbortSignal | undefined
  /** Undefined: cells travel as they are. */
  readonly compressor: CellBlockCompressor | undefined
}

/**
 * Resolves to the answer once the grant has its memory and its cells are compressed, where they are to be. A read holds nothing while it waits for
 * memory, and is made again; where it has waited in vain, this rejects with OVERLOADED. An answer that cannot be made again, such as a page
 * of a scanner, is held meanwhile, counts, and is refused at once where there is no room for that. Rejects with TOO_LARGE where not even an idle
 * server has room, and with CALLER_GONE. An answer that is not sent is released.
 */
export async function readyAnswer(
  answer: HandedOver<RpcAnswer>,
  grant: MemoryGrant,
  { gone, compressor }: Making,
): Promise<PackedAnswer> {
  const made = takes(grant, answer.value) ? answer.take() : await later(answer, grant, gone)
  const isPlain = compressor === undefined || cellBlockBytes(made.cells ?? []) <= LARGE_BYTES
  return isPlain ? made : packedAside(made, compressor)
}

/** False where others have the memory. Releases the answer and throws TOO_LARGE where there never is as much. */
function takes(grant: MemoryGrant, answer: RpcAnswer): boolean {
  const bytes = bytesOfLarge(answer)
  if (answer.isOfChange === true) {
    // The change's own code counted this answer, and gives that memory back now.
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

/** Of an answer that has room but once, its cells do not count. */
function neededFor(bytes: number, grant: MemoryGrant): number {
  return grant.canEverTake(OF_CELLS * bytes) ? OF_CELLS * bytes : bytes
}

async function later(
  answer: HandedOver<RpcAnswer>,
  grant: MemoryGrant,
  gone: AbortSignal | undefined,
): Promise<RpcAnswer> {
  for (let read = answer; ; ) {
    const { again } = read.value
    if (again === undefined) return await held(read.take(), grant, gone)
    const bytes = letGo(read.take())
    const needed = neededFor(bytes, grant)
    // It was read, and is collected later.
    grant.spent(bytes)
    await grant.atOnceOrLater(() => grant.take(needed, 'the answer', 'answer'), gone)
    read = new HandedOver(await again(bytes))
    // Taken anew at once, as much as it is now.
    grant.give(needed)
    if (bytesOfLarge(read.value) <= LARGE_BYTES || takes(grant, read.value)) return read.take()
  }
}

/** Releases an answer; returns its bytes. */
function letGo(answer: RpcAnswer): number {
  answer.release?.()
  return bytesOfLarge(answer)
}

async function held(
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
