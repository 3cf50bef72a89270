/** The exceptions of HBase's servers that recur however often the same request is sent. */

import type { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'

const PACKAGE = 'org.apache.hadoop.hbase'

/** HBase 2.6: subclasses of DoNotRetryIOException. Exceptions of single rows come without the doNotRetry flag. */
const DO_NOT_RETRY: ReadonlySet<string> = new Set(
  [
    'ConcurrentTableModificationException',
    'DoNotRetryIOException',
    'InvalidFamilyOperationException',
    'NamespaceExistException',
    'NamespaceNotFoundException',
    'NotAllMetaRegionsOnlineException',
    'ReplicationPeerNotFoundException',
    'TableExistsException',
    'TableNotDisabledException',
    'TableNotEnabledException',
    'TableNotFoundException',
    'UnknownRegionException',
    'UnknownScannerException',
    'client.ConnectionImplementation$LocalConnectionClosedException',
    'client.DoNotRetryRegionException',
    'client.NoServerForRegionException',
    'client.OperationTimeoutExceededException',
    'client.RowTooBigException',
    'constraint.ConstraintException',
    'coprocessor.CoprocessorException',
    'exceptions.FailedSanityCheckException',
    'exceptions.MasterStoppedException',
    'exceptions.MergeRegionException',
    'exceptions.OutOfOrderScannerNextException',
    'exceptions.RequestTooBigException',
    'exceptions.ScannerResetException',
    'exceptions.UnknownProtocolException',
    'io.hfile.CorruptHFileException',
    'ipc.BadAuthException',
    'ipc.EmptyServiceNameException',
    'ipc.FatalConnectionException',
    'ipc.ServerTooBusyException',
    'ipc.StoppedRpcClientException',
    'ipc.UnknownServiceException',
    'ipc.UnsupportedCellCodecException',
    'ipc.UnsupportedCompressionCodecException',
    'ipc.UnsupportedCryptoException',
    'ipc.WrongVersionException',
    'quotas.QuotaExceededException',
    'quotas.SpaceLimitingException',
    'quotas.ThrottlingException',
    'regionserver.LeaseException',
    'regionserver.NoSuchColumnFamilyException',
    'regionserver.RowTooBigException',
    'security.AccessDeniedException',
    'security.visibility.InvalidLabelException',
    'security.visibility.LabelAlreadyExistsException',
    'snapshot.CorruptedSnapshotException',
    'snapshot.ExportSnapshotException',
    'snapshot.HBaseSnapshotException',
    'snapshot.RestoreSnapshotException',
    'snapshot.SnapshotCreationException',
    'snapshot.SnapshotDoesNotExistException',
    'snapshot.SnapshotExistsException',
    'snapshot.SnapshotTTLExpiredException',
    'snapshot.UnknownSnapshotException',
  ].map((name) => `${PACKAGE}.${name}`),
)

/** Other exceptions that concern the request alone. HBase's clients retry them all the same. */
const OF_REQUEST: ReadonlySet<string> = new Set(
  [
    'client.WrongRowIOException',
    'codec.CodecException',
    'exceptions.DeserializationException',
    'exceptions.IllegalArgumentIOException',
    'filter.IncompatibleFilterException',
    'filter.InvalidRowFilterException',
    'ipc.CellScannerButNoCodecException',
    'ipc.SecurityNotEnabledException',
    'replication.ReplicationException',
    'security.visibility.ParseException',
  ].map((name) => `${PACKAGE}.${name}`),
)

const PROTOBUF_FAULT = /\.protobuf\.(?:InvalidProtocolBuffer|UninitializedMessage)Exception$/
/** Java's own exceptions, which a server throws where its code cannot carry the request out. */
const FAULT = /^java\.(?:lang|nio|util|util\.regex)\.\w+Exception$|^java\.lang\.StackOverflowError$/
/** A server stops its threads with this exception: the request may succeed on another server. */
const NO_FAULT: ReadonlySet<string> = new Set(['java.lang.InterruptedException'])
/** Faults of a request, or of a server that is starting or stopping: the stack frames decide. */
const EITHER: ReadonlySet<string> = new Set([
  'java.lang.IllegalStateException',
  'java.lang.NullPointerException',
  'java.util.ConcurrentModificationException',
])
/** Packages of HBase whose code works on requests alone. */
const CODE_OF_REQUESTS = /^\s*at org\.apache\.hadoop\.hbase\.(?:client|filter|shaded\.protobuf)\./

/** RpcServer.call wraps in it everything that a method throws other than an IOException. */
const WRAPPER = 'java.io.IOException'

/**
 * The cause of a final failure: the class that makes it final, and the text that a server would have sent with a DoNotRetryIOException.
 */
export interface FinalCause {
  readonly javaClass: string
  /** The exception as Java prints it; undefined where it was not wrapped in another one. */
  readonly wrapped: string | undefined
}

/** The cause that makes a failure final; undefined where another attempt may succeed. */
export function finalCause(error: RemoteException): FinalCause | undefined {
  const { javaClass, remoteStack } = error
  const isFinal = error.doNotRetry || DO_NOT_RETRY.has(javaClass) || OF_REQUEST.has(javaClass)
  if (isFinal || isFault(javaClass, remoteStack)) return { javaClass, wrapped: undefined }
  if (javaClass !== WRAPPER) return undefined
  const cause = /(?:^|\n)Caused by: ([\w.$]+)(?::[^\n]*)?/.exec(remoteStack)
  if (cause === null) return undefined
  const behind = remoteStack.slice(cause.index + cause[0].length)
  const name = cause[1]!
  const isKnown = DO_NOT_RETRY.has(name) || OF_REQUEST.has(name)
  if (!isKnown && !isFault(name, behind)) return undefined
  const { message } = error
  return { javaClass: name, wrapped: message === '' ? name : `${name}: ${message}` }
}

/** A server's runtime exception on a request will recur, unless an IOException or an interruption caused it. */
function isFault(javaClass: string, stack: string): boolean {
  if (PROTOBUF_FAULT.test(javaClass)) return true
  if (!FAULT.test(javaClass) || NO_FAULT.has(javaClass)) return false
  if (/\nCaused by: [\w.$]*(?:IOException|InterruptedException)\b/.test(stack)) return false
  if (!EITHER.has(javaClass)) return true
  const frames = stack.split('\n').filter((line) => /^\s*at org\.apache\.hadoop\.hbase\./.test(line))
  // The JVM omits the frames of an exception that one piece of code throws very often.
  return frames.length === 0 || CODE_OF_REQUESTS.test(frames[0]!)
}
