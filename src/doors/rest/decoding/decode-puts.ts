import { LARGE_BODY_BYTES } from '../../../gateway/decoding/decode-threads.ts'
import { threadProgram } from '../../../gateway/decoding/thread-program.ts'
import { alone } from '../../../model/moved-memory.ts'
import type { MutationBatch } from '../../../model/mutation.ts'
import { unpackBatch } from '../../../model/packed-batch.ts'
import { StatusError } from '../http/errors.ts'
import type { RestService } from '../service.ts'
import { cellSetPuts, type PutsBody } from './cell-set-puts.ts'
import type { PutsOutput } from './puts-task.ts'

const TASK = threadProgram('./puts-task', import.meta.url)

/** As cellSetPuts; a large body is decoded in a thread, to which its memory goes. Throws OVERLOADED where the thread ends. */
export async function decodePuts(
  { limits, decoding }: Pick<RestService, 'limits' | 'decoding'>,
  { type, body, spec }: Omit<PutsBody, 'limits'>,
): Promise<MutationBatch> {
  if (decoding === undefined || body.length < LARGE_BODY_BYTES)
    return cellSetPuts({ type, body, spec, limits })
  // So large a body is gathered in a buffer of its own.
  const bytes = alone(body)
  const { row, columns } = spec
  const value = { type, body: bytes, spec: { row, columns }, limits }
  const output = (await decoding.run(TASK, { value, memory: [bytes.buffer] })) as PutsOutput
  if ('batch' in output) return unpackBatch(output.batch)
  const { status, code, message, body: line, headers, javaClass } = output.refused
  throw new StatusError(status, code, message, line, { headers, javaClass })
}
