import { isHBaseError } from '../../../model/errors.ts'

/** The message of an internal error. HBase sends only its first words. Tidegate adds the reason, as clients may show it to users. */
export function internalErrorText(method: string, error: unknown): string {
  const reason = isHBaseError(error) ? `: ${error.javaClass}: ${error.message}` : ''
  return `Internal error processing ${method}${reason}`
}
