import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Steps } from '../../../model/steps.ts'
import { LONG_BYTES, Unread } from '../../../wire/rpc/long-values.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'

/**
 * Reads a message that may have long values: filters, keys of fuzzy rows, labels, qualifiers of a column. The reader throws Unread at the first
 * long value that is not decoded yet. That value is then decoded in several turns of the event loop and kept, and `read` begins anew.
 */
export function readInTurns<Message>(reader: MessageReader, read: () => Message): Message | Promise<Message> {
  if (reader.end - reader.at <= LONG_BYTES) return read()
  const start = reader.at
  reader.keepLongValues()
  return manyATurn(
    readInSteps(() => {
      reader.at = start
      return read()
    }),
  )
}

function* readInSteps<Message>(read: () => Message): Steps<Message> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      yield* error.steps
    }
  }
}
