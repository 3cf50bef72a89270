#!/usr/bin/env node
/** The command of the package `tidegate-conformance`: for servers that run where no Tidegate is installed. */

import { Command } from 'commander'
import {
  addConformanceOptions,
  CONFORMANCE_DESCRIPTION,
  type ConformanceFlags,
  faultOfFlags,
} from '../../src/conformance-options.ts'
import { runConformance } from './command.ts'
import { suiteVersion } from './data/package-files.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

const command = new Command('tidegate-conformance')
  .description(CONFORMANCE_DESCRIPTION)
  .version(suiteVersion(), '-V, --version', 'print the version')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE))
addConformanceOptions(command).action(async (flags: ConformanceFlags) => {
  const fault = faultOfFlags(flags)
  if (fault !== undefined) command.error(`error: ${fault}`)
  const passed = await runConformance(flags, (line) => process.stdout.write(`${line}\n`))
  process.exitCode = passed ? 0 : EXIT_FAILURE
})

await command.parseAsync()
