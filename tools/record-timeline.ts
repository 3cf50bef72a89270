/**
 * Records what Hadoop's own timeline server answers to the cases of the timeline: `npm run conformance:record-timeline [-- --check]`.
 * With --check it writes nothing, and fails where the recording no longer is what the server answers. Needs Java and Maven.
 */

import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { compareTimeline } from '../conformance/src/timeline/compare-timeline.ts'
import {
  printTimelineRecording,
  runTimeline,
  timelineRecording,
} from '../conformance/src/timeline/timeline-suite.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { startRealTimeline } from '../test/harness/real-timeline/real-timeline.ts'

const TIMEOUT_MS = 60_000

async function main(): Promise<void> {
  const { check } = new Command('conformance:record-timeline')
    .option('--check')
    .parse()
    .opts<{ check?: true }>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no timeline server: this machine has no ${missing.join(' and no ')}\n`)
    process.exitCode = check === true ? 0 : 1
    return
  }
  const real = await startRealTimeline()
  try {
    const found = await runTimeline(`http://${real.address}`, TIMEOUT_MS)
    if (check !== true) {
      const { path, text } = printTimelineRecording(found)
      writeFileSync(path, text)
      process.stdout.write(`${found.size} cases recorded\n`)
      return
    }
    const { passed, problems } = compareTimeline(found, timelineRecording(), [])
    for (const problem of problems) process.stdout.write(`${problem}\n`)
    process.stdout.write(`${passed} passed, ${problems.length} failed\n`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await real.stop()
    real.remove()
  }
}

await main()
