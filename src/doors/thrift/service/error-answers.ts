/**
 * What a Thrift client is told when something fails: one table a service from the house's error codes to the exceptions
 * of its IDL. HBase puts a Java stack trace into Thrift 1's messages; here they are its first line, class and message.
 */

import { type ErrorCode, HBaseError } from '../../../model/errors.ts'
import { ThriftException, type ThriftHandler, type ThriftHandlers } from '../thrift-service.ts'
import { BatchError } from './batch-error.ts'

interface Answer<Struct> {
  readonly struct: Struct
  /** HBase: false for its DoNotRetryIOException and all that extend it. */
  readonly canRetry: boolean
}

type Thrift1Struct = 'IOError' | 'IllegalArgument' | 'AlreadyExists'
type Thrift2Struct = 'TIOError' | 'TIllegalArgument'

const retry = { struct: 'IOError', canRetry: true } as const
const doNotRetry = { struct: 'IOError', canRetry: false } as const

export const thrift1Answers: Readonly<Record<ErrorCode, Answer<Thrift1Struct>>> = {
  TABLE_NOT_FOUND: doNotRetry,
  TABLE_EXISTS: { struct: 'AlreadyExists', canRetry: false },
  TABLE_NOT_ENABLED: doNotRetry,
  TABLE_NOT_DISABLED: doNotRetry,
  NAMESPACE_NOT_FOUND: doNotRetry,
  NAMESPACE_EXISTS: doNotRetry,
  NO_SUCH_COLUMN_FAMILY: doNotRetry,
  INVALID_FAMILY_OPERATION: doNotRetry,
  DO_NOT_RETRY: doNotRetry,
  CONSTRAINT: doNotRetry,
  FAILED_SANITY_CHECK: doNotRetry,
  ILLEGAL_ARGUMENT: { struct: 'IllegalArgument', canRetry: false },
  UNKNOWN_SCANNER: doNotRetry,
  NOT_SERVING_REGION: retry,
  REGION_TOO_BUSY: retry,
  TOO_LARGE: doNotRetry,
  UNAVAILABLE: retry,
  TIMEOUT: retry,
  CORRUPTION: doNotRetry,
  IO: retry,
}

const retry2 = { struct: 'TIOError', canRetry: true } as const
const doNotRetry2 = { struct: 'TIOError', canRetry: false } as const

export const thrift2Answers: Readonly<Record<ErrorCode, Answer<Thrift2Struct>>> = {
  TABLE_NOT_FOUND: doNotRetry2,
  TABLE_EXISTS: doNotRetry2,
  TABLE_NOT_ENABLED: doNotRetry2,
  TABLE_NOT_DISABLED: doNotRetry2,
  NAMESPACE_NOT_FOUND: doNotRetry2,
  NAMESPACE_EXISTS: doNotRetry2,
  NO_SUCH_COLUMN_FAMILY: doNotRetry2,
  INVALID_FAMILY_OPERATION: doNotRetry2,
  DO_NOT_RETRY: doNotRetry2,
  CONSTRAINT: doNotRetry2,
  FAILED_SANITY_CHECK: doNotRetry2,
  ILLEGAL_ARGUMENT: { struct: 'TIllegalArgument', canRetry: false },
  UNKNOWN_SCANNER: doNotRetry2,
  NOT_SERVING_REGION: retry2,
  REGION_TOO_BUSY: retry2,
  TOO_LARGE: doNotRetry2,
  UNAVAILABLE: retry2,
  TIMEOUT: retry2,
  CORRUPTION: doNotRetry2,
  IO: retry2,
}

/** Methods whose IDL declares the exception for illegal arguments. */
const DECLARE_ILLEGAL_ARGUMENT: ReadonlySet<string> = new Set([
  'createTable',
  'mutateRow',
  'mutateRowTs',
  'mutateRows',
  'mutateRowsTs',
  'atomicIncrement',
  'checkAndPut',
  'scannerGet',
  'scannerGetList',
  'scannerClose',
])
const DECLARE_ILLEGAL_ARGUMENT_2: ReadonlySet<string> = new Set(['getScannerRows', 'closeScanner'])

/** `class: message`, the first line of what HBase says. */
export function errorLine(error: HBaseError): string {
  return `${error.javaClass}: ${error.message}`
}

/** Thrift 1's exception for an error of `method`, or the error itself where the method declares none for it. */
export function thrift1Exception(method: string, error: unknown): unknown {
  if (error instanceof BatchError) return ioError('IOError', error.line, true, error)
  if (!(error instanceof HBaseError)) return error
  const { struct, canRetry } = thrift1Answers[error.code]
  switch (struct) {
    case 'IOError':
      return ioError(struct, errorLine(error), canRetry, error)
    case 'AlreadyExists':
      return new ThriftException(struct, { message: 'table name already in use' }, { cause: error })
    case 'IllegalArgument':
      if (!DECLARE_ILLEGAL_ARGUMENT.has(method)) return error
      return new ThriftException(struct, { message: errorLine(error) }, { cause: error })
  }
}

/** What HBase's client finds by itself, and tells without the class; of the master's methods it is the master that finds it. */
const FOUND_BY_THE_CLIENT: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'TABLE_NOT_DISABLED',
  'IO',
])
const OF_THE_MASTER: ReadonlySet<string> = new Set([
  'addColumnFamily',
  'createTable',
  'deleteColumnFamily',
  'deleteTable',
  'disableTable',
  'modifyColumnFamily',
  'modifyTable',
  'truncateTable',
])

function thrift2Text(method: string, error: HBaseError): string {
  return FOUND_BY_THE_CLIENT.has(error.code) && !OF_THE_MASTER.has(method) ? error.message : errorLine(error)
}

/** As thrift1Exception, for Thrift 2. */
export function thrift2Exception(method: string, error: unknown): unknown {
  if (error instanceof BatchError) return ioError('TIOError', error.message, true, error)
  if (!(error instanceof HBaseError)) return error
  const { struct, canRetry } = thrift2Answers[error.code]
  if (struct === 'TIOError') return ioError(struct, thrift2Text(method, error), canRetry, error)
  if (!DECLARE_ILLEGAL_ARGUMENT_2.has(method)) return error
  return new ThriftException(struct, { message: errorLine(error) }, { cause: error })
}

function ioError(struct: string, message: string, canRetry: boolean, cause: unknown): ThriftException {
  return new ThriftException(struct, { message, canRetry }, { cause })
}

/** The handlers, with what they throw turned into the service's exceptions. */
export function answeringErrors(
  handlers: ThriftHandlers,
  exceptionOf: (method: string, error: unknown) => unknown,
): ThriftHandlers {
  const answering: Record<string, ThriftHandler> = {}
  for (const [method, handler] of Object.entries(handlers)) {
    answering[method] = async (args: never) => {
      try {
        return await handler(args)
      } catch (error) {
        throw exceptionOf(method, error)
      }
    }
  }
  return answering
}
