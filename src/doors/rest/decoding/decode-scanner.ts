import { LARGE_BODY_BYTES } from '../../../gateway/requests/decoding/decode-threads.ts'
import { threadProgram } from '../../../gateway/requests/decoding/thread-program.ts'
import { alone, asBuffer } from '../../../model/moved-memory.ts'
import type { ScannerSpec } from '../../../wire/rest/scanner-spec.ts'
import { type DocumentBody, decodeDocument } from '../http/read-body.ts'
import type { RestService } from '../service/rest-service.ts'
import { SCANNER_DECODERS, type ScannerInput, type ScannerOutput, unpackedScanner } from './scanner-task.ts'
import { errorOfStated } from './stated-failure.ts'

const TASK = threadProgram('./scanner-task', import.meta.url)

/** Decodes a large body in a thread and transfers its memory there. Throws Refusal, TOO_LARGE, and OVERLOADED where the thread ends. */
export async function decodeScanner(
  { limits, decoding }: Pick<RestService, 'limits' | 'decoding'>,
  { type, body }: DocumentBody,
): Promise<ScannerSpec> {
  if (decoding === undefined || body.length < LARGE_BODY_BYTES)
    return decodeDocument({ type, body }, limits, SCANNER_DECODERS)
  const bytes = alone(body)
  const value: ScannerInput = { type, body: asBuffer(bytes), limits }
  const output = (await decoding.run(TASK, { value, memory: [bytes.buffer] })) as ScannerOutput
  if (output.scanner === undefined) throw errorOfStated(output.refused!)
  return unpackedScanner(output.scanner)
}
