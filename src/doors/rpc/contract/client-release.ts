/**
 * HBase answers clients of older releases otherwise, as those know neither newer exceptions nor newer forms of an answer. A gate is
 * decided once, when the connection header comes. HBase: VersionInfoUtil.hasMinimumVersion.
 */

import { isFieldSet } from '@bufbuild/protobuf'
import { type VersionInfo, VersionInfoSchema } from '../../../wire/rpc/gen/hbase_pb.ts'

export interface ClientRelease {
  /** 1.1: asks for the result of a procedure. Others hear of a refusal in the answer itself. HBase: ProcedurePrepareLatch. */
  readonly asksForResults: boolean
  /** 1.2: asks again at once for the actions that an answer had no room for. HBase: RpcCallContext.isRetryImmediatelySupported. */
  readonly takesFullAnswers: boolean
  /** 1.3: finds the cells of a Get in the cell block. HBase: RSRpcServices.get. */
  readonly takesBlocksOfGets: boolean
  /** 1.3: knows RequestTooBigException. HBase: NettyRpcFrameDecoder. */
  readonly knowsTooBig: boolean
  /** 1.4: knows ScannerResetException. HBase: RSRpcServices.scan. */
  readonly knowsScannerReset: boolean
  /** 2.0: `asksForResults` of changes of replication peers. HBase: AbstractPeerProcedure. */
  readonly asksForResultsOfPeers: boolean
}

/** `info`: of the connection header. A client whose header has none counts as older than all gates. */
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
  /** NaN where the text has none that is a number. HBase reads it only where the major number leaves the question open. */
  readonly minor: () => number
}

/** The header's own numbers, where it has both; otherwise those of the text. Undefined: there are none. */
function numbersOf(info: VersionInfo): Numbers | undefined {
  const { versionMajor, versionMinor } = VersionInfoSchema.field
  // Java has no unsigned numbers.
  if (isFieldSet(info, versionMajor) && isFieldSet(info, versionMinor))
    return { major: info.versionMajor | 0, minor: () => info.versionMinor | 0 }
  const parts = info.version.split(/[.-]/)
  // As Java's String.split does.
  while (parts.at(-1) === '' && parts.length > 1) parts.pop()
  const major = javaInt(parts[0]!)
  return Number.isNaN(major)
    ? undefined
    : { major, minor: () => (parts[1] === undefined ? 0 : javaInt(parts[1])) }
}

const INT_MAX = 0x7fff_ffff

/** NaN for text that Integer.parseInt refuses; a minus sign never comes here. */
function javaInt(text: string): number {
  const value = /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return value > INT_MAX ? Number.NaN : value
}
