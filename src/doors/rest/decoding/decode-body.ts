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

/** As cellSetPuts, but decodes a large body in a thread and transfers its memory there. Throws OVERLOADED where the thread ends. */
export async function decodePuts(service: Service, body: Body): Promise<MutationBatch> {
  const packed = (await inThread(service, body, false))?.batch
  if (packed === undefined) return cellSetPuts({ ...body, limits: service.limits })
  const batch = unpackBatch(packed)
  // Other requests get a turn before the store begins with the large batch.
  await nextTurn()
  return batch
}

/** As checkSet, with a thread as in decodePuts. */
export async function decodeCheck(service: Service, body: Body): Promise<CellSet> {
  const set = (await inThread(service, body, true))?.set
  return set === undefined
    ? checkSet({ ...body, limits: service.limits })
    : CellSet.unpack(set, service.limits)
}

/** The thread's result; undefined for a small body, which is not decoded here. */
async function inThread(
  { limits, decoding }: Service,
  { type, body, spec }: Body,
  isForCheck: boolean,
): Promise<BodyOutput | undefined> {
  if (decoding === undefined || body.length < LARGE_BODY_BYTES) return undefined
  // A large body has a buffer of its own, which can be transferred.
  const bytes = alone(body)
  const { row, columns } = spec
  const value: BodyInput = { type, body: asBuffer(bytes), spec: { row, columns }, limits, isForCheck }
  const output = (await decoding.run(TASK, { value, memory: [bytes.buffer] })) as BodyOutput
  if (output.refused === undefined) return output
  throw errorOfStated(output.refused)
}
