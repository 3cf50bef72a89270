/** The suite against any server that speaks HBase's REST and Thrift: `tidegate conformance` calls this. */

import type { ConformanceFlags } from '../../src/conformance-options.ts'
import type { Target } from './runner/exchange.ts'
import { isGap, readLedger } from './runner/ledger.ts'
import { recordingOf } from './runner/recordings.ts'
import { countAsked, firstDifference, runSuite, type SuiteOptions } from './runner/run-suite.ts'
import { isTidegate } from './runner/server-kind.ts'
import { isUndecided, readUndecided } from './runner/undecided.ts'
import { SCENARIOS } from './scenarios.ts'
import { compareTimeline } from './timeline/compare-timeline.ts'
import { readDifferences, runTimeline, timelineRecording } from './timeline/timeline-suite.ts'

/** How far a run is. */
export interface SuiteProgress {
  readonly asked: number
  readonly failed: number
  readonly cases: number
}

/** Asks the servers that the flags name. True where no case failed. `worked`: gets the progress after each case. */
export async function runConformance(
  flags: ConformanceFlags,
  print: (line: string) => void,
  worked: (progress: SuiteProgress) => void = () => undefined,
): Promise<boolean> {
  const { rest, thrift, timeline } = flags
  const isTimelineFine = timeline === undefined || (await runTimelineCases(timeline, flags, print))
  if (rest === undefined || thrift === undefined) return isTimelineFine
  return (await runHBaseCases({ ...flags, rest, thrift }, print, worked)) && isTimelineFine
}

async function runTimelineCases(
  url: string,
  { only, timeoutMs }: ConformanceFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const all = await runTimeline(url, timeoutMs)
  const found = new Map([...all].filter(([id]) => only?.test(id) ?? true))
  const { passed, onPurpose, problems } = compareTimeline(found, timelineRecording(), readDifferences())
  for (const problem of problems) print(problem)
  if (onPurpose > 0)
    print(
      `${onPurpose} differ on purpose, for the reasons in timeline-differences.json of tidegate-conformance`,
    )
  print(`${passed} passed, ${problems.length} failed`)
  return problems.length === 0
}

type HBaseFlags = ConformanceFlags & Required<Pick<ConformanceFlags, 'rest' | 'thrift'>>

/**
 * Prints every case that differs and, last, `N passed, N failed`. True where none failed. Cases that may differ are counted
 * apart: on Tidegate those of the ledger, on another server those that HBase itself answers in more than one way.
 */
async function runHBaseCases(
  flags: HBaseFlags,
  print: (line: string) => void,
  worked: (progress: SuiteProgress) => void,
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
  const cases = countAsked(SCENARIOS, target, options)
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
    worked({ asked: passed + failed + excused, failed, cases })
  }
  if (excused > 0) print(`${excused} ${excuse.words}`)
  print(`${passed} passed, ${failed} failed`)
  return failed === 0
}

interface Excuse {
  covers(id: string): boolean
  readonly words: string
}

async function excuseOf({ rest, timeoutMs }: HBaseFlags): Promise<Excuse> {
  if (await isTidegate(rest, timeoutMs)) {
    const ledger = readLedger()
    return {
      covers: (id) => isGap(ledger, id),
      words:
        'differ on purpose: Tidegate answers them in another way, for the reasons in ledger.json of tidegate-conformance',
    }
  }
  const undecided = readUndecided()
  return {
    covers: (id) => isUndecided(undecided, id),
    words: 'are undecided: HBase itself answers them in more than one way',
  }
}
