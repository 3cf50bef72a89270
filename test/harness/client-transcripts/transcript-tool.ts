/**
 * A script that runs software of other people against Tidegate or a real HBase, and compares what it said with what it said
 * on a real HBase when that was recorded: `[-- --target tidegate|proxy|real] [-- --record] [-- --keep] [-- --only PART...]`. A real HBase,
 * also one that Tidegate stands in front of as a proxy, needs Java and Maven.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../../../src/package-root.ts'
import type { Store } from '../../../src/store/store.ts'
import { ChildServer } from '../child-server.ts'
import { mainKeptBusy } from '../idle-connection.ts'
import { missingTools } from '../real-hbase/jars.ts'
import { RealHBase } from '../real-hbase/real-hbase.ts'
import { openRpcStore } from '../rpc-store.ts'
import { keepResult, verdictLine } from './client-results.ts'
import { type Answers, addAnswer, compareAnswers, expectedDifferences } from './compare-answers.ts'

const MAIN = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))

/** A server that the software finds by ZooKeeper, by a bootstrap server or by a master. */
export interface TranscriptServer {
  readonly isReal: boolean
  readonly zookeeper: number
  readonly rpc: number
  readonly master: number
  /** To make tables for the software, and to look at what it has done. */
  readonly store: Store
}

export interface Transcript {
  /** As in `npm run test:NAME`; its files are in test/clients/NAME. */
  readonly name: string
  /** `folder`: an empty one, for whatever the software writes. */
  readonly run: (server: TranscriptServer, folder: string, parts: ReadonlySet<string>) => Promise<Answers>
  /** Names of parts that can run by themselves, all of which a run has unless `--only` names some. */
  readonly parts?: readonly string[]
  /** Tools that the software needs and this machine lacks; of those that it is recorded with if not given. */
  readonly missing?: () => readonly string[]
}

export function sourcesOf(name: string): string {
  return fileURLToPath(new URL(`test/clients/${name}/`, packageRoot()))
}

/** `proxy`: Tidegate in front of a real HBase. */
const TARGETS = ['tidegate', 'proxy', 'real'] as const
type Target = (typeof TARGETS)[number]

interface TranscriptOptions {
  readonly target: Target
  readonly record?: true
  readonly keep?: true
  readonly only?: readonly string[]
}

function optionsOf(name: string, parts: readonly string[]): TranscriptOptions {
  const only = new Option('--only <parts...>', 'compares the steps of these parts only').choices(parts)
  const options = new Command(`test:${name}`)
    .addOption(
      new Option('--target <target>', 'proxy: Tidegate before a real HBase')
        .choices(TARGETS)
        .default('tidegate'),
    )
    .option('--record', 'writes down the answers instead of comparing them')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(only.hideHelp(parts.length === 0))
    .parse()
    .opts<TranscriptOptions>()
  if (options.only !== undefined && (options.record === true || options.keep === true))
    throw new Error('--record and --keep are for a run of all parts')
  return options
}

export async function runTranscript({
  name,
  run,
  parts = [],
  missing: lacking = missingTools,
}: Transcript): Promise<void> {
  const { target, record, keep, only } = optionsOf(name, parts)
  const missing = target === 'tidegate' ? lacking() : missingTools()
  if (missing.length > 0) {
    process.stdout.write(`${name} did not run: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), `tidegate-${name}-`))
  const { server, stop } = await startServer(target, folder)
  let found: Answers
  try {
    found = await run(server, join(folder, 'work'), new Set(only ?? parts))
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const recorded = join(sourcesOf(name), 'recorded.txt')
  if (record === true) {
    writeFileSync(recorded, [...found].map(([step, answer]) => `# ${step}\n${answer}\n`).join(''))
    return
  }
  const all = recordedAnswers(existsSync(recorded) ? readFileSync(recorded, 'utf8') : '')
  const wanted = only === undefined ? all : new Map([...all].filter(([step]) => found.has(step)))
  const counts = judge(name, wanted, found, target)
  if (keep === true && target !== 'real') keepResult(name, counts, target)
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly mayDiffer: number
}

function judge(name: string, wanted: Answers, found: Answers, target: Target): Counts {
  const listed = join(sourcesOf(name), 'expected-differences.json')
  const differing = target === 'real' ? new Set<string>() : expectedDifferences(listed, name, target)
  const surprises = compareAnswers({ program: name, wanted, found, differing })
  for (const surprise of surprises) process.stdout.write(`${surprise}\n`)
  process.stdout.write(`${name}: ${differing.size} steps may differ, each with its reason\n`)
  process.stdout.write(verdictLine({ passed: found.size - surprises.length, failed: surprises.length }))
  process.exitCode = surprises.length === 0 && found.size > 0 ? 0 : 1
  return { passed: found.size - surprises.length, failed: surprises.length, mayDiffer: differing.size }
}

/** `# STEP` and below it the step's answer. */
export function recordedAnswers(text: string): Answers {
  const answers = new Map<string, string>()
  for (const part of text.split(/^# /m).slice(1)) {
    const end = part.indexOf('\n')
    addAnswer(answers, part.slice(0, end), part.slice(end + 1).trimEnd())
  }
  return answers
}

export interface Started {
  readonly server: TranscriptServer
  /** Of the process that answers requests of rows. */
  readonly pid: number | undefined
  readonly stop: () => Promise<unknown>
}

/** Tidegate keeps its data in the folder. */
export async function startServer(target: Target, folder: string): Promise<Started> {
  if (target === 'tidegate') return startTidegate(`native:${join(folder, 'data')}`)
  const hbase = await RealHBase.start({ gateways: false })
  const { regionServer: rpc, master, zookeeper } = hbase.ports
  if (target === 'proxy') {
    const { server, pid, stop } = await startTidegate(`hbase:127.0.0.1:${zookeeper}`)
    const stopBoth = async (): Promise<void> => {
      await stop()
      await hbase.stop()
    }
    return { server, pid, stop: stopBoth }
  }
  const store = await openRpcStore(rpc)
  const stop = async (): Promise<void> => {
    await store.close()
    await hbase.stop()
  }
  return { server: { isReal: true, rpc, master, zookeeper, store }, pid: hbase.pidOf('master'), stop }
}

async function startTidegate(of: string): Promise<Started> {
  const doors = ['--rest', 'off', '--thrift', 'off', '--web', 'off', '--rpc', '0', '--zookeeper', '0']
  doors.push('--master', '0')
  const child = await ChildServer.start(MAIN, ['serve', '--store', of, ...doors, '--log-level', 'warn'])
  await mainKeptBusy(child, 'rpc')
  const [rpc, master, zookeeper] = [child.port('rpc'), child.port('master'), child.port('zookeeper')]
  const store = await openRpcStore(rpc)
  const stop = async (): Promise<void> => {
    await store.close()
    await child.stop()
  }
  return { server: { isReal: false, rpc, master, zookeeper, store }, pid: child.pid, stop }
}
