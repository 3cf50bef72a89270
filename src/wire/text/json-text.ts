import { isUtf8 } from 'node:buffer'
import { HBaseError } from '../../model/errors.ts'

/** A pair of surrogates, a lone one (which is captured), or any other escape. */
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g

/**
 * Checks that the strings of a JSON document are characters: it is UTF-8, and no escape is half a pair of surrogates.
 * Readers of JSON replace such bytes, and what was sent would be lost unseen. Throws CORRUPTION.
 */
export function checkJsonText(body: Buffer): void {
  if (!isUtf8(body)) throw new HBaseError('CORRUPTION', 'malformed JSON: it is not UTF-8')
  if (!body.includes('\\ud') && !body.includes('\\uD')) return
  for (const [, lone] of body.toString('latin1').matchAll(ESCAPES)) {
    if (lone !== undefined) {
      throw new HBaseError('CORRUPTION', `malformed JSON: \\${lone} is half a pair of surrogates`)
    }
  }
}
