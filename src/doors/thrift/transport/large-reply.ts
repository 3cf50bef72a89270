import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { BinaryWriter } from '../../../wire/thrift/binary-writer.ts'
import { CompactWriter } from '../../../wire/thrift/compact-writer.ts'
import { Output } from '../../../wire/thrift/output.ts'
import { RowResults } from '../../../wire/thrift/row-results.ts'
import { encodedBytesMax } from '../../../wire/thrift/row-results-writer.ts'
import type { Method } from '../contract/method-table.ts'
import { countDuration, type Message } from './message.ts'
import { LENGTH_BYTES, writeLengths } from './reply-lengths.ts'

const REPLY = 'the answer'

/**
 * Settles a call with a large value (`isLargeValue`). Encodes the reply in an output of its own and in steps, between which other calls have
 * their turns. The reply waits for its memory, but is never refused: the call may have moved a scanner or changed a row, and its client must
 * not repeat that. Never rejects. `thrown`: makes the reply to an error.
 */
export async function settleLarge(
  message: Message,
  method: Method,
  value: unknown,
  memory: MemoryBudget,
  thrown: (error: unknown) => Buffer | undefined,
): Promise<void> {
  const { caller } = message
  const grant = new MemoryGrant(memory, false, caller.call.memory)
  const rows = value instanceof RowResults ? value.gathered() : undefined
  let reply: Buffer | undefined
  try {
    const room = rows && takeForEncoded(rows, grant, caller.call.signal)
    if (room !== undefined) await room
    reply = await encoded(message, method, rows ?? value)
    method.counts.ok++
    countDuration(message, method)
  } catch (error) {
    reply = thrown(error)
  } finally {
    rows?.release()
    // From here on, the connection counts the reply's memory.
    grant.release()
  }
  caller.settle(reply)
}

/** Takes the memory of the encoded reply. Returns a promise while other calls hold it, which rejects with CALLER_GONE only. */
function takeForEncoded(
  { results, encodedBytes }: RowResults,
  grant: MemoryGrant,
  gone: AbortSignal | undefined,
): Promise<void> | undefined {
  const missing = encodedBytesMax(results) - encodedBytes
  // The get has taken memory for the cells; only the names around them are missing.
  if (encodedBytes > 0) grant.note(Math.max(0, missing))
  else if (!grant.tryTake(missing, REPLY, 'answer')) return awaitForEncoded(results, missing, grant, gone)
  return undefined
}

async function awaitForEncoded(
  { cells }: RowResults['results'],
  missing: number,
  grant: MemoryGrant,
  gone: AbortSignal | undefined,
): Promise<void> {
  try {
    // A reply that cannot wait, as its cells have no room, is sent at once.
    await grant.takeHolding(cells.byteLength, cells.byteLength + missing, REPLY, gone)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'CALLER_GONE') throw error
    grant.note(missing)
  }
}

async function encoded({ caller, sequenceId }: Message, { codec }: Method, value: unknown): Promise<Buffer> {
  const output = new Output()
  const lengths = caller.lengths * LENGTH_BYTES
  output.length = output.reserve(lengths) + lengths
  const writer = caller.protocol === 'binary' ? new BinaryWriter(output) : new CompactWriter(output)
  await manyATurn(codec.replyInSteps(writer, sequenceId, value))
  const reply = output.take()
  writeLengths(reply, caller.lengths)
  return reply
}
