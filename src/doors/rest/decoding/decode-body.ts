import { setImmediate as nextTurn } from 'node:timers/promises'
import { LARGE_BODY_BYTES } from '../../../gateway/requests/decoding/decode-threads.ts'
import { threadProgram } from '../../../gateway/requests/decoding/thread-program.ts'
import { alone, asBuffer } from '../../../model/moved-memory.ts'
import type { MutationBatch } from '../../../model/mutation.ts'
import { unpackBatch } from '../../../model/packed-batch.ts'
import { CellSet } from '../../../wire/rest/cell-set.ts'
import type { RestService } from '../service/rest-service.ts'
import type { BodyInput, BodyOutput } from './body-task.ts'
import { cellSetPuts, checkSet, type PutsBody } from './cell-set-puts.ts'
import { errorOfStated } from './stated-failure.ts'

const TASK = threadProgram('./body-task', import.meta.url)

type Service = Pick<RestService, 'limits' | 'decoding'>
type Body = Omit<PutsBody, 'limits'>

/** As cellSetPuts; a large body is decoded in a thread, to which its memory goes. Throws OVERLOADED where the thread ends. */
export async function decodePuts(service: Service, body: Body): Promise<MutationBatch> {
  const packed = (await inThread(service, body, false))?.batch
  if (packed === undefined) return cellSetPuts({ ...body, limits: service.limits })
  const batch = unpackBatch(packed)
  // Others have their turn before the store begins with so large a batch.
  await nextTurn()
  return batch
}

/** As checkSet, and likewise. */
export async function decodeCheck(service: Service, body: Body): Promise<CellSet> {
  const set = (await inThread(service, body, true))?.set
  return set === undefined
    ? checkSet({ ...body, limits: service.limits })
    : CellSet.unpack(set, service.limits)
}

/** Undefined for a small body. */
async function inThread(
  { limits, decoding }: Service,
  { type, body, spec }: Body,
  isForCheck: boolean,
): Promise<BodyOutput | undefined> {
  if (decoding === undefined || body.length < LARGE_BODY_BYTES) return undefined
  // So large a body is gathered in a buffer of its own.
  const bytes = alone(body)
  const { row, columns } = spec
  const value: BodyInput = { type, body: asBuffer(bytes), spec: { row, columns }, limits, isForCheck }
  const output = (await decoding.run(TASK, { value, memory: [bytes.buffer] })) as BodyOutput
  if (output.refused === undefined) return output
  throw errorOfStated(output.refused)
}
