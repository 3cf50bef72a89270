/**
 * HBase's own PerformanceEvaluation, unchanged, on Tidegate's embedded engine beside a real HBase: `npm run bench:pe`. Rounds alternate;
 * the median round counts. Needs Java and Maven. The client is a JVM on the same cores and takes most of them, so that both servers
 * look nearer to each other than they are: the report has the processor time of the servers, too. TIDEGATE_BENCH_ROWS: rows of each of the
 * four clients in a round.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runJava, writeClientSettings } from '../test/harness/client-transcripts/java-program.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import { type Started, sourcesOf, startServer } from '../test/harness/client-transcripts/transcript-tool.ts'
import { cpuSeconds } from '../test/harness/process-usage.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'

const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 50_000)
const CLIENTS = 4
const ROUNDS = 3
/** Goals are times HBase's rows a second. */
const COMMANDS = [
  { command: 'sequentialWrite', goal: 1.5 },
  { command: 'randomWrite', goal: 1.5 },
  { command: 'randomRead', goal: 2 },
  { command: 'scan', goal: 2 },
]
const EVALUATION = 'org.apache.hadoop.hbase.PerformanceEvaluation'
const RATE = /Avg TPS\/QPS\]\s+(\d+)/

/** The folder that configures a client of the server: its settings, and a log in which the program tells its rates. */
function settingsFor(started: Started, folder: string): string {
  writeClientSettings(folder, {
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': started.server.zookeeper,
  })
  writeFileSync(join(folder, 'log4j.properties'), `\nlog4j.logger.${EVALUATION}=INFO\n`, { flag: 'a' })
  return folder
}

/** Rows a second of all clients. Throws where the program failed. */
async function rowsPerSecond(settings: string, lib: string, command: string): Promise<number> {
  const options = ['--nomapred', `--rows=${ROWS}`, '--valueSize=100', '--table=evaluated']
  const { code, stdout, stderr } = await runJava({
    classPath: [settings, `${lib}/*`],
    args: [EVALUATION, ...options, command, String(CLIENTS)],
    cwd: settings,
  })
  const [, rate] = RATE.exec(`${stdout}${stderr}`) ?? []
  if (code === 0 && rate !== undefined) return Number(rate)
  throw new Error(`PerformanceEvaluation ${command} failed (${code}):\n${stderr.slice(-2000)}`)
}

interface Round {
  readonly rowsPerSecond: number
  /** Of the server, a row, starts of the client included. */
  readonly cpuMicros: number
}

interface Side {
  readonly settings: string
  readonly pid: number | undefined
}

async function measure({ settings, pid }: Side, lib: string, command: string): Promise<Round> {
  const before = cpuSeconds(pid)
  const rate = await rowsPerSecond(settings, lib, command)
  return { rowsPerSecond: rate, cpuMicros: ((cpuSeconds(pid) - before) * 1e6) / (ROWS * CLIENTS) }
}

function median(rounds: readonly Round[]): Round {
  const sorted = [...rounds].sort((a, b) => a.rowsPerSecond - b.rowsPerSecond)
  return sorted[Math.floor(rounds.length / 2)]!
}

function text({ rowsPerSecond: rate, cpuMicros }: Round): string {
  return `${rate} rows/s, ${cpuMicros.toFixed(1)} us CPU a row`
}

async function compareSides(ours: Side, theirs: Side, lib: string): Promise<boolean> {
  let areMet = true
  for (const { command, goal } of COMMANDS) {
    const rounds: { ours: Round[]; theirs: Round[] } = { ours: [], theirs: [] }
    for (let round = 0; round < ROUNDS; round++) {
      rounds.theirs.push(await measure(theirs, lib, command))
      rounds.ours.push(await measure(ours, lib, command))
    }
    const [a, b] = [median(rounds.ours), median(rounds.theirs)]
    const ratio = a.rowsPerSecond / b.rowsPerSecond
    areMet &&= ratio >= goal
    process.stdout.write(
      `${command}: ratio ${ratio.toFixed(2)} (goal ${goal})\n  tidegate ${text(a)}\n  hbase    ${text(b)}\n`,
    )
  }
  return areMet
}

const missing = missingTools()
if (missing.length > 0) throw new Error(`this benchmark needs ${missing.join(' and ')} on the path`)
const folder = mkdtempSync(join(tmpdir(), 'tidegate-pe-'))
const lib = mavenJars('mapreduce-2.6.1', join(sourcesOf('mapreduce'), 'pom.xml'))
const hbase = await startServer('real', folder)
const tidegate = await startServer('tidegate', folder)
try {
  const ours = { settings: settingsFor(tidegate, join(folder, 'ours')), pid: tidegate.pid }
  const theirs = { settings: settingsFor(hbase, join(folder, 'theirs')), pid: hbase.pid }
  const areMet = await compareSides(ours, theirs, lib)
  process.stdout.write(areMet ? 'all goals met\n' : 'goals were missed\n')
} finally {
  await tidegate.stop()
  await hbase.stop()
  rmSync(folder, { recursive: true, force: true })
}
