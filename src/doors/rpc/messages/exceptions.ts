/** Errors as the Java exceptions that HBase's clients know. */

import { HBaseError } from '../../../model/errors.ts'
import { MalformedMessage } from '../../../wire/rpc/message-reader.ts'
import { RemoteException } from '../../../wire/rpc/remote-exception.ts'

const HBASE_PACKAGE = 'org.apache.hadoop.hbase.'
const DO_NOT_RETRY = `${HBASE_PACKAGE}DoNotRetryIOException`
const IO_EXCEPTION = 'java.io.IOException'
const CALL_QUEUE_TOO_BIG = `${HBASE_PACKAGE}CallQueueTooBigException`

/** Many parts of a call may have the same failure. */
const known = new WeakMap<HBaseError, RemoteException>()

/**
 * A client throws exceptions of HBase's own and of java.io as they are. HBase wraps others in an IOException, which clients
 * try again in vain; Tidegate wraps them in one that they do not.
 */
export function javaException(error: unknown): RemoteException {
  if (!(error instanceof HBaseError)) return ofUnexpected(error)
  let made = known.get(error)
  if (made === undefined) known.set(error, (made = exceptionOf(error)))
  return made
}

function exceptionOf({ javaClass, message, mayRetry }: HBaseError): RemoteException {
  const isKnown = javaClass.startsWith(HBASE_PACKAGE) || javaClass === IO_EXCEPTION
  if (!isKnown)
    return exception(mayRetry ? IO_EXCEPTION : DO_NOT_RETRY, `${javaClass}: ${message}`, !mayRetry)
  return exception(javaClass, message, !mayRetry)
}

function ofUnexpected(error: unknown): RemoteException {
  if (error instanceof MalformedMessage) return exception(DO_NOT_RETRY, error.message, true)
  return exception(IO_EXCEPTION, 'an internal error: the server has logged it', false)
}

function exception(javaClass: string, message: string, doNotRetry: boolean): RemoteException {
  return new RemoteException({
    javaClass,
    stackTrace: `${javaClass}: ${message}`,
    doNotRetry,
    serverOverloaded: javaClass === CALL_QUEUE_TOO_BIG,
  })
}

/** HBase answers so to a method that its service does not have. */
export function unknownMethod(method: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `java.lang.UnsupportedOperationException: ${method}`)
}
