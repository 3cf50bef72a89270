/**
 * Distinguishes a ZooKeeper from an HBase server by its answer to a ZooKeeper client's first message. A ZooKeeper grants a session.
 * HBase answers in its own RPC with the name of an exception, since the message does not begin with `HBas`. The probe asks nothing else.
 */

import { type ErrorDetail, HBaseError } from '../../../src/model/errors.ts'
import { OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { encodeFrame, FrameCutter, part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../../src/wire/zookeeper/jute-reader.ts'
import { CONNECT_REQUEST, CONNECT_RESPONSE, REQUEST_HEADER } from '../../../src/wire/zookeeper/records.ts'
import { addressText, type RegistryKind, type ServerAddress } from '../config/cluster-address.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import { openSocket, type TlsTrust } from '../rpc/open-socket.ts'
import { isUntrusted, silentCloseHint, socketFailureText } from '../rpc/tls-failure.ts'

export type FoundRegistry = Exclude<RegistryKind, 'either'>

/** The most bytes of either answer. */
const ANSWER_BYTES_MAX = 64 * 1024
/** The session timeout to request. The probe does not use the session, and one whose end is lost expires soon. */
const SESSION_MS = 4_000
const HBASE = 'org.apache.hadoop.hbase'

/** The first message of a client of ZooKeeper. */
export const ZOOKEEPER_QUESTION: Buffer = encodeFrame(
  part(CONNECT_REQUEST, {
    protocolVersion: 0,
    lastZxidSeen: 0n,
    timeOut: SESSION_MS,
    sessionId: 0n,
    passwd: Buffer.alloc(16),
    readOnly: false,
  }),
)
/** Ends the session that a ZooKeeper has granted. */
export const ZOOKEEPER_GOODBYE: Buffer = encodeFrame(
  part(REQUEST_HEADER, { xid: 1, type: OP_CODE.closeSession }),
)

/** How the servers of a cluster encrypt; undefined: they do not. Those of Tidegate encrypt all their ports alike. */
export interface RegistryTls {
  readonly zookeeper: TlsTrust | undefined
  readonly rpc: TlsTrust | undefined
}

/** As probeRegistry, of a server that may encrypt only where it is HBase's. ZooKeeper is asked first. */
export async function probeEither(
  server: ServerAddress,
  timeoutMs: number,
  { zookeeper, rpc }: RegistryTls,
): Promise<FoundRegistry> {
  try {
    return await probeRegistry(server, timeoutMs, zookeeper)
  } catch (error) {
    const isSilent = error instanceof HBaseError && error.detail?.['isSilent'] === true
    if (rpc === zookeeper || isSilent) throw error
    return probeRegistry(server, timeoutMs, rpc)
  }
}

/**
 * The kind of the server. Throws UNAVAILABLE without an answer, FinalFailure for a certificate that is not trusted, ILLEGAL_ARGUMENT for a
 * server of neither kind.
 */
export function probeRegistry(
  server: ServerAddress,
  timeoutMs: number,
  tls?: TlsTrust,
): Promise<FoundRegistry> {
  return new Promise((resolve, reject) => {
    const { socket } = openSocket({ ...server, noDelay: true }, tls)
    const frames = new FrameCutter(ANSWER_BYTES_MAX)
    const settle = (result: FoundRegistry | HBaseError | FinalFailure): void => {
      if (result === 'zookeeper') socket.end(ZOOKEEPER_GOODBYE)
      else socket.destroy()
      if (typeof result === 'string') resolve(result)
      else reject(result)
    }
    const unavailable = (reason: string): void => settle(noAnswer(server, reason))
    socket.setTimeout(timeoutMs, () =>
      settle(noAnswer(server, `no answer within ${timeoutMs} ms`, { isSilent: true })),
    )
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server resets a connection where it has not read all bytes.
      const hint = error.code === 'ECONNRESET' ? silentCloseHint(tls) : ''
      const failure = noAnswer(server, `${socketFailureText(error, tls)}${hint}`)
      settle(isUntrusted(error) ? new FinalFailure(failure) : failure)
    })
    socket.on('close', () =>
      unavailable(`it closes the connection${silentCloseHint(tls) || ' without an answer'}`),
    )
    socket.on('data', (chunk) => {
      const kind = registryAnswer(frames, chunk)
      if (kind === 'unknown') settle(neither(server))
      else if (kind !== undefined) settle(kind)
    })
    socket.write(ZOOKEEPER_QUESTION)
  })
}

/** The kind of server that answers the question so; undefined while the answer is incomplete. */
export function registryAnswer(frames: FrameCutter, chunk: Buffer): FoundRegistry | 'unknown' | undefined {
  try {
    const [frame] = frames.push(chunk)
    if (frame === undefined) return undefined
    if (frame.includes(HBASE)) return 'bootstrap'
    readLast(new JuteReader(frame), CONNECT_RESPONSE)
    return 'zookeeper'
  } catch {
    return 'unknown'
  }
}

function noAnswer(server: ServerAddress, reason: string, detail?: ErrorDetail): HBaseError {
  return new HBaseError('UNAVAILABLE', `${addressText(server)}: ${reason}`, { detail })
}

function neither(server: ServerAddress): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `${addressText(server)} is neither a ZooKeeper nor a server of HBase`,
  )
}
