/** `tidegate conformance`: the suite against any server that speaks HBase's REST and Thrift. */

import type { Target } from './runner/exchange.ts'
import { isGap, readLedger } from './runner/ledger.ts'
import { recordingOf } from './runner/recordings.ts'
import { firstDifference, runSuite, type SuiteOptions } from './runner/run-suite.ts'
import { isTidegate } from './runner/server-kind.ts'
import { isUndecided, readUndecided } from './runner/undecided.ts'
import { SCENARIOS } from './scenarios.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ConformanceFlags {
  /** The URL of the REST door. */
  readonly rest: string
  readonly thrift: Address
  /** Where Thrift 2 has a port of its own. */
  readonly thrift2?: Address
  /** Of a region server; undefined: the cases of native RPC are left out. */
  readonly rpc?: Address
  /** Where the master has a port of its own. */
  readonly rpcMaster?: Address
  readonly only?: RegExp
  readonly timeoutMs: number
}

/**
 * Prints every case that differs and, last, `N passed, N failed`. True where none failed. Cases that may differ are counted
 * apart: on Tidegate those of the ledger, on another server those that HBase itself answers in more than one way.
 */
export async function runConformance(
  flags: ConformanceFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const { rest, thrift, thrift2 = thrift, rpc, rpcMaster = rpc } = flags
  const isRpcKnown = rpc !== undefined && rpcMaster !== undefined
  const target: Target = {
    rest,
    thrift1: thrift,
    thrift2,
    rpc: isRpcKnown ? { regionServer: rpc, master: rpcMaster } : undefined,
  }
  const options: SuiteOptions = {
    timeoutMs: flags.timeoutMs,
    ...(flags.only === undefined ? {} : { only: flags.only }),
  }
  const excuse = await excuseOf(flags)
  let passed = 0
  let failed = 0
  let excused = 0
  for await (const outcome of runSuite(SCENARIOS, recordingOf, target, options)) {
    if (outcome.passed) passed++
    else if (excuse.covers(outcome.id) && outcome.answered) excused++
    else {
      failed++
      print(firstDifference(outcome))
    }
  }
  if (excused > 0) print(`${excused} ${excuse.words}`)
  print(`${passed} passed, ${failed} failed`)
  return failed === 0
}

interface Excuse {
  covers(id: string): boolean
  readonly words: string
}

async function excuseOf({ rest, timeoutMs }: ConformanceFlags): Promise<Excuse> {
  if (await isTidegate(rest, timeoutMs)) {
    const ledger = readLedger()
    return {
      covers: (id) => isGap(ledger, id),
      words:
        'differ on purpose: Tidegate answers them in another way, for the reasons in src/conformance/ledger.json',
    }
  }
  const undecided = readUndecided()
  return {
    covers: (id) => isUndecided(undecided, id),
    words: 'are undecided: HBase itself answers them in more than one way',
  }
}
