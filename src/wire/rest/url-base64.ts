import { HBaseError } from '../../model/errors.ts'

/** Whole groups of four; then two or three characters, padded or not. */
const URL_BASE64 = /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/

/** Decodes RFC 4648's base64 for URLs, with or without padding. Java: Base64.getUrlDecoder. Throws ILLEGAL_ARGUMENT. */
export function readUrlBase64(text: string): Buffer {
  if (!URL_BASE64.test(text)) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `"${text.slice(0, 40)}" is not base64 of the kind for URLs`)
  }
  return Buffer.from(text, 'base64url')
}
