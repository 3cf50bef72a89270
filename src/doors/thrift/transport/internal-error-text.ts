import { isHBaseError } from '../../../model/errors.ts'

/** HBase sends the first words only. Tidegate adds the reason, since clients may show it to people. */
export function internalErrorText(method: string, error: unknown): string {
  const reason = isHBaseError(error) ? `: ${error.javaClass}: ${error.message}` : ''
  return `Internal error processing ${method}${reason}`
}
