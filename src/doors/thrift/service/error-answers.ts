/**
 * Errors as Thrift clients get them. For each service, a table maps error codes to the exceptions of its IDL. ERROR_TRAITS
 * has whether a client may retry. HBase puts a Java stack trace into Thrift 1's messages; Tidegate sends its first line,
 * class and message.
 */

import { type ErrorCode, HBaseError } from '../../../model/errors.ts'
import { ThriftException } from '../contract/thrift-service.ts'
import { BatchError } from './batch-error.ts'

type Thrift1Struct = 'IOError' | 'IllegalArgument' | 'AlreadyExists'
type Thrift2Struct = 'TIOError' | 'TIllegalArgument'

export const thrift1Structs: Readonly<Record<ErrorCode, Thrift1Struct>> = {
  TABLE_NOT_FOUND: 'IOError',
  TABLE_EXISTS: 'AlreadyExists',
  TABLE_NOT_ENABLED: 'IOError',
  TABLE_NOT_DISABLED: 'IOError',
  NAMESPACE_NOT_FOUND: 'IOError',
  NAMESPACE_EXISTS: 'IOError',
  NO_SUCH_COLUMN_FAMILY: 'IOError',
  INVALID_FAMILY_OPERATION: 'IOError',
  DO_NOT_RETRY: 'IOError',
  CONSTRAINT: 'IOError',
  FAILED_SANITY_CHECK: 'IOError',
  ILLEGAL_ARGUMENT: 'IllegalArgument',
  UNKNOWN_SCANNER: 'IOError',
  ACCESS_DENIED: 'IOError',
  READ_ONLY: 'IOError',
  UNSUPPORTED: 'IOError',
  TOO_LARGE: 'IOError',
  THROTTLED: 'IOError',
  OVERLOADED: 'IOError',
  CALLER_GONE: 'IOError',
  NOT_SERVING_REGION: 'IOError',
  REGION_TOO_BUSY: 'IOError',
  UNAVAILABLE: 'IOError',
  TIMEOUT: 'IOError',
  CORRUPTION: 'IOError',
  IO: 'IOError',
  REFUSED: 'IOError',
}

export const thrift2Structs: Readonly<Record<ErrorCode, Thrift2Struct>> = {
  TABLE_NOT_FOUND: 'TIOError',
  TABLE_EXISTS: 'TIOError',
  TABLE_NOT_ENABLED: 'TIOError',
  TABLE_NOT_DISABLED: 'TIOError',
  NAMESPACE_NOT_FOUND: 'TIOError',
  NAMESPACE_EXISTS: 'TIOError',
  NO_SUCH_COLUMN_FAMILY: 'TIOError',
  INVALID_FAMILY_OPERATION: 'TIOError',
  DO_NOT_RETRY: 'TIOError',
  CONSTRAINT: 'TIOError',
  FAILED_SANITY_CHECK: 'TIOError',
  ILLEGAL_ARGUMENT: 'TIllegalArgument',
  UNKNOWN_SCANNER: 'TIOError',
  ACCESS_DENIED: 'TIOError',
  READ_ONLY: 'TIOError',
  UNSUPPORTED: 'TIOError',
  TOO_LARGE: 'TIOError',
  THROTTLED: 'TIOError',
  OVERLOADED: 'TIOError',
  CALLER_GONE: 'TIOError',
  NOT_SERVING_REGION: 'TIOError',
  REGION_TOO_BUSY: 'TIOError',
  UNAVAILABLE: 'TIOError',
  TIMEOUT: 'TIOError',
  CORRUPTION: 'TIOError',
  IO: 'TIOError',
  REFUSED: 'TIOError',
}

/** Methods that declare the exception for illegal arguments. */
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

/** `class: message`, the first line of HBase's stack trace. */
export function errorLine(error: HBaseError): string {
  return `${error.javaClass}: ${error.message}`
}

/** Thrift 1's exception for an error of `method`, or the error itself where the method declares none for it. */
export function thrift1Exception(method: string, error: unknown): unknown {
  if (error instanceof BatchError) return ioError('IOError', error.line, true, error)
  if (!(error instanceof HBaseError)) return error
  const struct = thrift1Structs[error.code]
  switch (struct) {
    case 'IOError':
      return ioError(struct, errorLine(error), error.mayRetry, error)
    case 'AlreadyExists':
      return new ThriftException(struct, { message: 'table name already in use' }, { cause: error })
    case 'IllegalArgument':
      if (!DECLARE_ILLEGAL_ARGUMENT.has(method)) return error
      return new ThriftException(struct, { message: errorLine(error) }, { cause: error })
  }
}

/** QUIRK thrift2-get-row-exists-nope-r: HBase states no class where its client finds the error, not its master. */
const FOUND_BY_THE_CLIENT: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'TABLE_NOT_DISABLED',
  'IO',
  'REFUSED',
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

/** HBase: ThriftHBaseServiceHandler.checkReadOnlyMode. */
const READ_ONLY_WORDS = 'Thrift Server is in Read-only mode.'

function thrift2Text(method: string, error: HBaseError): string {
  if (error.code === 'READ_ONLY') return `${READ_ONLY_WORDS} ${error.message}`
  const isPlain = error.code === 'IO' || error.code === 'REFUSED' || !OF_THE_MASTER.has(method)
  return FOUND_BY_THE_CLIENT.has(error.code) && isPlain ? error.message : errorLine(error)
}

/** Thrift 2's exception for an error of `method`, or the error itself where the method declares none for it. */
export function thrift2Exception(method: string, error: unknown): unknown {
  if (error instanceof BatchError) return ioError('TIOError', error.message, true, error)
  if (!(error instanceof HBaseError)) return error
  const struct = thrift2Structs[error.code]
  if (struct === 'TIOError') return ioError(struct, thrift2Text(method, error), error.mayRetry, error)
  if (!DECLARE_ILLEGAL_ARGUMENT_2.has(method)) return error
  return new ThriftException(struct, { message: errorLine(error) }, { cause: error })
}

function ioError(struct: string, message: string, canRetry: boolean, cause: unknown): ThriftException {
  return new ThriftException(struct, { message, canRetry }, { cause })
}
