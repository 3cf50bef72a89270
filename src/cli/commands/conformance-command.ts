/** `tidegate conformance`: the suite is a package of its own, since its recordings are larger than the server. */

import type { Command } from 'commander'
import {
  addConformanceOptions,
  CONFORMANCE_DESCRIPTION,
  type ConformanceFlags,
  faultOfFlags,
} from '../../conformance-options.ts'
import { StartError } from '../failures/start-error.ts'
import { UsageError } from '../failures/usage-error.ts'
import { packageVersion } from '../machine/version.ts'
import { beginProgress, type ProgressFlags, quietOption, withProgress } from '../terminal/command-progress.ts'
import { printLine } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'

const EXIT_FAILURE = 1

const PACKAGE: string = 'tidegate-conformance'

interface SuiteProgress {
  readonly asked: number
  readonly failed: number
  readonly cases: number
}

/** The parts of the package `tidegate-conformance` that the command uses. */
interface ConformanceSuite {
  /** True where no case failed. */
  readonly runConformance: (
    flags: ConformanceFlags,
    print: (line: string) => void,
    worked: (progress: SuiteProgress) => void,
  ) => Promise<boolean>
}

export function addConformanceCommand(program: Command): void {
  addConformanceOptions(program.command('conformance').description(CONFORMANCE_DESCRIPTION))
    .addHelpText('after', `\nThe suite is the package ${PACKAGE}: npm install ${PACKAGE}@${packageVersion()}`)
    .addOption(quietOption())
    .exitOverride()
    .action(async (flags: ConformanceFlags & ProgressFlags) => {
      const fault = faultOfFlags(flags)
      if (fault !== undefined) throw new UsageError(fault)
      const { runConformance } = await loadSuite()
      beginProgress('conformance', flags, () => 'The same command asks all cases anew')
      let at: SuiteProgress = { asked: 0, failed: 0, cases: 0 }
      const passed = await withProgress(
        () => stepOf(at),
        () => runConformance(flags, printLine, (progress) => (at = progress)),
      )
      process.exitCode = passed ? 0 : EXIT_FAILURE
    })
}

function stepOf({ asked, failed, cases }: SuiteProgress): Step {
  return {
    task: 'asked',
    amounts: [
      { unit: 'cases', done: asked, total: cases },
      { unit: 'failures', done: failed },
    ],
  }
}

/** Throws StartError where the package is not installed beside this one. */
async function loadSuite(): Promise<ConformanceSuite> {
  try {
    return (await import(PACKAGE)) as ConformanceSuite
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartError(
      `the package ${PACKAGE}, which has the cases and the recordings, is not installed: npm install ${PACKAGE}@${packageVersion()}`,
    )
  }
}
