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

/** Others that concern the request alone. HBase's clients send it again all the same. */
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
/** Exceptions of Java's own that a server throws where its code cannot do what the request asks for. */
const FAULT = /^java\.(?:lang|nio|util|util\.regex)\.\w+Exception$|^java\.lang\.StackOverflowError$/
/** A server stops its threads by it: the request may succeed at another one. */
const NO_FAULT: ReadonlySet<string> = new Set(['java.lang.InterruptedException'])
/** Faults of a request, and also of a server that is starting or stopping: the frames tell. */
const EITHER: ReadonlySet<string> = new Set([
  'java.lang.IllegalStateException',
  'java.lang.NullPointerException',
  'java.util.ConcurrentModificationException',
])
/** Packages of HBase whose code works on requests alone. */
const CODE_OF_REQUESTS = /^\s*at org\.apache\.hadoop\.hbase\.(?:client|filter|shaded\.protobuf)\./

/** What RpcServer.call puts around everything that a method throws and that is no IOException. */
const WRAPPER = 'java.io.IOException'

/**
 * What lies behind a final failure: the class that says so, and the text that a server would have given as a DoNotRetryIOException. Undefined
 * where another attempt may succeed.
 */
export interface FinalCause {
  readonly javaClass: string
  /** The exception itself, as Java prints it: only where it came within another. */
  readonly wrapped: string | undefined
}

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

/** A runtime exception of the server on a request will recur, unless it tells of something else that went wrong. */
function isFault(javaClass: string, stack: string): boolean {
  if (PROTOBUF_FAULT.test(javaClass)) return true
  if (!FAULT.test(javaClass) || NO_FAULT.has(javaClass)) return false
  if (/\nCaused by: [\w.$]*(?:IOException|InterruptedException)\b/.test(stack)) return false
  if (!EITHER.has(javaClass)) return true
  const frames = stack.split('\n').filter((line) => /^\s*at org\.apache\.hadoop\.hbase\./.test(line))
  // The Java machine leaves the frames out of what one piece of code has thrown very often.
  return frames.length === 0 || CODE_OF_REQUESTS.test(frames[0]!)
}
