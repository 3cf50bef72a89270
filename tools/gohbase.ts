/**
 * gohbase, unchanged, on Tidegate or a real HBase: `npm run test:gohbase [-- --target tidegate|proxy|real] [-- --record]`. Needs Go
 * 1.25; GOHBASE_SOURCE names a folder with its sources where the module is not to be had from Go's proxy. What it said on a real HBase
 * is in test/clients/gohbase/recorded.txt.
 */

import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  recordedAnswers,
  runTranscript,
  sourcesOf,
  type TranscriptServer,
} from '../test/harness/client-transcripts/transcript-tool.ts'

const NAME = 'gohbase'
const TIMEOUT_MS = 300_000
/** Of the first build, which fetches the modules. */
const BUILD_MS = 900_000
const execute = promisify(execFile)

function missingGo(): string[] {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0 ? [] : ['go']
}

/** Compiles below REAL_HBASE_HOME or ~/.cache/real-hbase: what the first run writes of checksums is not the sources'. */
async function compiled(): Promise<string> {
  const folder = join(process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'), NAME)
  mkdirSync(folder, { recursive: true })
  cpSync(sourcesOf(NAME), folder, { recursive: true })
  const source = process.env['GOHBASE_SOURCE']
  if (source !== undefined)
    appendFileSync(join(folder, 'go.mod'), `\nreplace github.com/tsuna/gohbase => ${source}\n`)
  const program = join(folder, 'transcript')
  await execute('go', ['build', '-mod=mod', '-o', program, '.'], { cwd: folder, timeout: BUILD_MS })
  return program
}

async function run({ zookeeper, isReal }: TranscriptServer): Promise<Map<string, string>> {
  const program = await compiled()
  const answers = async (...options: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const args = [`127.0.0.1:${zookeeper}`, ...options]
    const { stdout } = await execute(program, args, { timeout: TIMEOUT_MS, maxBuffer: 1 << 24 })
    return recordedAnswers(stdout)
  }
  const found = new Map(await answers())
  // A real HBase needs Hadoop's native libraries for Snappy, and leaves its clients without an answer where it has none.
  if (isReal) return found
  for (const [step, answer] of await answers('snappy'))
    if (answer !== found.get(step)) found.set(`by Snappy: ${step}`, answer)
  return found
}

await runTranscript({ name: NAME, run, missing: missingGo })
