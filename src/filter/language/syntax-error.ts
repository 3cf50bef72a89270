import { HBaseError } from '../../model/errors.ts'
import { characterAt } from '../schema/text-position.ts'

/** The error repeats so much of the refused text. */
const QUOTED_BYTES_MAX = 1000

/**
 * The error for a filter string that HBase's ParseFilter refuses: HBase's words, then what was expected and at which
 * character, counted from 1.
 */
export function syntaxError(words: string, text: Buffer, offset: number, expected: string): HBaseError {
  const character = characterAt(text, offset)
  return new HBaseError('ILLEGAL_ARGUMENT', `${words}: expected ${expected} at character ${character}`, {
    detail: { offset, character },
  })
}

/** Part of a filter string as text, for an error. */
export function quoted(text: Buffer): string {
  if (text.length <= QUOTED_BYTES_MAX) return text.toString()
  return `${text.toString('utf8', 0, QUOTED_BYTES_MAX)}...`
}
