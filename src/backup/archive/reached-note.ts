/**
 * The file `reached` of a stretch: up to when (`at`) nothing is missing in its pieces, and the number of their last part (`last`) then.
 *
 *     {"at":1796010280000,"last":360}
 *     {"sha256":"…"}                     of the line before
 *
 * PERSISTED: a later version reads what an earlier one has written.
 */

import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../model/error-reason.ts'
import { isJsonObject, jsonOf } from '../../model/json-values.ts'
import { sealedText, unsealedText } from '../backup-record.ts'
import { isCode, sizeOfFile } from '../safe-file.ts'

/** A larger file is no note, and may not fit into memory. */
const BYTES_MAX = 1024

export interface ReachedNote {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The number of the last part; 0: there was none. */
  readonly last: number
}

export function reachedText({ at, last }: ReachedNote): string {
  return sealedText(`${JSON.stringify({ at, last })}\n`)
}

/** Both undefined where there is no such file. */
export async function readReached(
  path: string,
): Promise<{ readonly note: ReachedNote | undefined; readonly fault: string | undefined }> {
  try {
    const note = (await sizeOfFile(path)) > BYTES_MAX ? undefined : noteOf(await readFile(path, 'utf8'))
    return { note, fault: note === undefined ? 'it is damaged' : undefined }
  } catch (error) {
    const isAbsent = isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')
    return { note: undefined, fault: isAbsent ? undefined : reasonOf(error) }
  }
}

function noteOf(text: string): ReachedNote | undefined {
  const value = jsonOf(unsealedText(text) ?? '')
  if (!isJsonObject(value)) return undefined
  const { at, last } = value
  if (typeof at !== 'number' || typeof last !== 'number') return undefined
  return Number.isSafeInteger(at) && Number.isSafeInteger(last) && last >= 0 ? { at, last } : undefined
}
