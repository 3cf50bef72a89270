import { HBaseError, isHBaseError } from '../../model/errors.ts'
import { InvalidMessage, type ProtobufRuntime } from './wire-check.ts'

const RUNTIME = 'org.apache.hbase.thirdparty.com.google.protobuf'
const DESERIALIZATION = 'org.apache.hadoop.hbase.exceptions.DeserializationException: '

/**
 * The error for a filter or comparator that HBase cannot read. `reason` is Java's Throwable.toString of the exception at
 * which HBase fails: HBase makes it the message of its DoNotRetryIOException.
 */
export function refused(reason: string, cause?: unknown): HBaseError {
  return new HBaseError('DO_NOT_RETRY', reason, { cause })
}

export function illegalArgument(message: string, cause?: unknown): HBaseError {
  const javaClass = 'java.lang.IllegalArgumentException'
  return refused(message === '' ? javaClass : `${javaClass}: ${message}`, cause)
}

/** The error for a class that exists but is of another kind than wanted. */
export function wrongClass(found: string, wanted: string): HBaseError {
  return refused(
    `java.lang.ClassCastException: class ${found} cannot be cast to class ${wanted} ` +
      `(${found} and ${wanted} are in unnamed module of loader 'app')`,
  )
}

/** Reads the fields of a filter or comparator. HBase: DeserializationException, for bytes that are no message. */
export function deserialized<Result>(read: () => Result, runtime: ProtobufRuntime = RUNTIME): Result {
  try {
    return read()
  } catch (error) {
    throw unreadable(error, runtime)
  }
}

/** The error for a filter or comparator whose fields are no message; other errors stay as they are. */
export function unreadable(error: unknown, runtime: ProtobufRuntime = RUNTIME): unknown {
  return error instanceof InvalidMessage ? refused(DESERIALIZATION + error.inJava(runtime), error) : error
}

/** The error for a filter or comparator where HBase meets this one as an exception of the class `javaClass`. */
export function refusalOf(error: unknown, javaClass: string): unknown {
  if (error instanceof InvalidMessage) return refused(DESERIALIZATION + error.inJava(RUNTIME), error)
  if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') return error
  return refused(`${DESERIALIZATION}${javaClass}: ${error.message}`, error.cause)
}

/** As `deserialized`, and wraps refusals from inside. */
export function deserializedWith<Result>(javaClass: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw refusalOf(error, javaClass)
  }
}
