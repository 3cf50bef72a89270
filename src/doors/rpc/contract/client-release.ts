/**
 * The abilities of a client's release. Older clients know neither newer exceptions nor newer forms of answers, so HBase answers them
 * differently. They are decided once, when the connection header comes. HBase: VersionInfoUtil.hasMinimumVersion.
 */

import { isFieldSet } from '@bufbuild/protobuf'
import { type VersionInfo, VersionInfoSchema } from '../../../wire/rpc/gen/hbase_pb.ts'

export interface ClientRelease {
  /** Since 1.1: asks for the result of a procedure. Older clients get a refusal in the answer itself. HBase: ProcedurePrepareLatch. */
  readonly asksForResults: boolean
  /** Since 1.2: asks again at once for the actions that an answer had no room for. HBase: RpcCallContext.isRetryImmediatelySupported. */
  readonly takesFullAnswers: boolean
  /** Since 1.3: takes the cells of a Get in the cell block. HBase: RSRpcServices.get. */
  readonly takesBlocksOfGets: boolean
  /** Since 1.3: knows RequestTooBigException. HBase: NettyRpcFrameDecoder. */
  readonly knowsTooBig: boolean
  /** Since 1.4: knows ScannerResetException. HBase: RSRpcServices.scan. */
  readonly knowsScannerReset: boolean
  /** Since 2.0: asks for the results of changes of replication peers, too. HBase: AbstractPeerProcedure. */
  readonly asksForResultsOfPeers: boolean
}

/** The abilities of a client with this version in its connection header. A client without one has none of them. */
export function clientRelease(info: VersionInfo | undefined): ClientRelease {
  const found = info === undefined ? undefined : numbersOf(info)
  const isAtLeast = (major: number, minor: number): boolean =>
    found !== undefined && (found.major === major ? found.minor() >= minor : found.major > major)
  return {
    asksForResults: isAtLeast(1, 1),
    takesFullAnswers: isAtLeast(1, 2),
    takesBlocksOfGets: isAtLeast(1, 3),
    knowsTooBig: isAtLeast(1, 3),
    knowsScannerReset: isAtLeast(1, 4),
    asksForResultsOfPeers: isAtLeast(2, 0),
  }
}

interface Numbers {
  readonly major: number
  /** The minor number; NaN where the text is no number. HBase reads it only where the major number does not decide. */
  readonly minor: () => number
}

/** The numbers in the header's fields, where it has both; otherwise those in its text. Undefined where the text has none. */
function numbersOf(info: VersionInfo): Numbers | undefined {
  const { versionMajor, versionMinor } = VersionInfoSchema.field
  // Java reads them as signed numbers.
  if (isFieldSet(info, versionMajor) && isFieldSet(info, versionMinor))
    return { major: info.versionMajor | 0, minor: () => info.versionMinor | 0 }
  const parts = info.version.split(/[.-]/)
  // Java's String.split drops empty parts at the end.
  while (parts.at(-1) === '' && parts.length > 1) parts.pop()
  const major = javaInt(parts[0]!)
  return Number.isNaN(major)
    ? undefined
    : { major, minor: () => (parts[1] === undefined ? 0 : javaInt(parts[1])) }
}

const INT_MAX = 0x7fff_ffff

/** The number; NaN for text that Integer.parseInt refuses. The text has no minus sign: it was split there. */
function javaInt(text: string): number {
  const value = /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return value > INT_MAX ? Number.NaN : value
}
