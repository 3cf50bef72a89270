import { isHBaseError } from '../../../src/model/errors.ts'

/** Gives the input to several decoders that may each refuse it. Throws a refusal where all of them do, and any other error. */
export function tryEach(
  input: Buffer,
  decoders: readonly ((input: Buffer) => unknown)[],
  isRefusal: (error: unknown) => boolean = isHBaseError,
): unknown[] {
  const made: unknown[] = []
  let refusal: unknown
  for (const decode of decoders) {
    try {
      made.push(decode(input))
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusal = error
    }
  }
  if (made.length === 0) throw refusal
  return made
}
