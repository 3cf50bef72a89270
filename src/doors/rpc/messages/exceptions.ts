/** Turns errors into the Java exceptions that HBase's clients know. */

import { HBaseError } from '../../../model/errors.ts'
import { MalformedMessage } from '../../../wire/rpc/message-reader.ts'
import { RemoteException } from '../../../wire/rpc/remote-exception.ts'

const HBASE_PACKAGE = 'org.apache.hadoop.hbase.'
const DO_NOT_RETRY = `${HBASE_PACKAGE}DoNotRetryIOException`
const IO_EXCEPTION = 'java.io.IOException'
const CALL_QUEUE_TOO_BIG = `${HBASE_PACKAGE}CallQueueTooBigException`

/** Exceptions by their errors: many parts of a call may share one failure. */
const known = new WeakMap<HBaseError, RemoteException>()

/**
 * The exception for an error. A client rethrows exceptions of HBase's own and of java.io. HBase wraps others in an IOException, which clients
 * retry in vain; Tidegate wraps them in a DoNotRetryIOException.
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

/** The error for a method that the service does not have. */
export function unknownMethod(method: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `java.lang.UnsupportedOperationException: ${method}`)
}
