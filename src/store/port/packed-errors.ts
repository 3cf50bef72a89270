/** Errors as a MessagePort carries them. */

import { InvariantError } from '../../model/assert.ts'
import { type ErrorCode, type ErrorDetail, HBaseError, isHBaseError } from '../../model/errors.ts'

/** Causes that cross with an error: a chain may be a ring. */
const CAUSES_MAX = 4

export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Undefined for errors other than HBaseErrors: bugs. */
  readonly code: ErrorCode | undefined
  /** The system's code, such as ENOSPC. */
  readonly systemCode: string | undefined
  readonly javaClass: string | undefined
  readonly detail: ErrorDetail | undefined
  readonly cause: PackedError | undefined
}

/** `error`: any thrown value. */
export function packError(error: unknown, depth = 0): PackedError {
  const house = isHBaseError(error) ? error : undefined
  const known = error instanceof Error ? error : undefined
  const system = known !== undefined && 'code' in known ? known.code : undefined
  const cause = known?.cause
  return {
    name: known?.name ?? 'Error',
    message: known?.message ?? String(error),
    stack: known?.stack,
    code: house?.code,
    systemCode: house === undefined && typeof system === 'string' ? system : undefined,
    javaClass: house?.javaClass,
    detail: house?.detail,
    cause: cause === undefined || depth >= CAUSES_MAX ? undefined : packError(cause, depth + 1),
  }
}

/** The error with the stack of the thread in which it was thrown. An InvariantError stays one; any other bug becomes an Error of its name. */
export function unpackError(packed: PackedError): Error {
  const { name, message, stack, code, systemCode, javaClass, detail } = packed
  const cause = packed.cause && unpackError(packed.cause)
  const options = cause === undefined ? undefined : { cause }
  let error: Error
  if (code !== undefined) error = new HBaseError(code, message, { javaClass, detail, cause })
  else if (name === 'InvariantError') error = new InvariantError(message, options)
  else error = Object.assign(new Error(message, options), { name })
  if (systemCode !== undefined) Object.assign(error, { code: systemCode })
  if (stack !== undefined) error.stack = stack
  return error
}
