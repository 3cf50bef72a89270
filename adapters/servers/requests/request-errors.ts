import type { ErrorCode } from '../../../src/model/errors.ts'

/** Codes of errors that concern a whole request, not single rows of it. */
export const REQUEST_ERRORS: readonly ErrorCode[] = [
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'ACCESS_DENIED',
  'READ_ONLY',
  'CALLER_GONE',
  'UNAVAILABLE',
  'TIMEOUT',
  'OVERLOADED',
  'THROTTLED',
  'REGION_TOO_BUSY',
]
