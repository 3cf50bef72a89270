/**
 * Hadoop's TimelineClient 3.3.6, unchanged, on Tidegate or on Hadoop's own timeline server: `npm run test:timeline [-- --target
 * tidegate|real] [-- --store STORE] [-- --record] [-- --keep]`. Needs Java and Maven. It puts domains and entities, and what then is read by
 * HTTP must be what was recorded on Hadoop's server, in test/clients/timeline/recorded.txt.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { startTidegate } from '../src/library/start-tidegate.ts'
import { keepResult, verdictLine } from '../test/harness/client-transcripts/client-results.ts'
import { runJava, writeClientSettings } from '../test/harness/client-transcripts/java-program.ts'
import { sourcesOf } from '../test/harness/client-transcripts/transcript-tool.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { startRealTimeline, timelineJars } from '../test/harness/real-timeline/real-timeline.ts'

const RECORDED = join(sourcesOf('timeline'), 'recorded.txt')
const PROGRAM = 'TimelineClientRun'

const READS = [
  '/TEZ_DAG_ID/dag_1',
  '/TEZ_DAG_ID?limit=3',
  '/TEZ_DAG_ID?primaryFilter=user:hive&limit=2&fields=events',
  '/TEZ_DAG_ID?primaryFilter=number:2&limit=1&fields=primaryfilters',
  '/TEZ_DAG_ID?primaryFilter=number:%222%22&limit=1&fields=primaryfilters',
  '/TEZ_DAG_ID?primaryFilter=number:2.0&limit=1',
  '/TEZ_DAG_ID?secondaryFilter=status:SUCCEEDED,whole:2.0&limit=1&fields=otherinfo',
  '/TEZ_DAG_ID?fromId=many_100&limit=3&fields=lasteventonly',
  '/TEZ_DAG_ID?windowStart=1425447798000&fields=events',
  '/TEZ_DAG_ID/events?entityId=dag_1,dag_2',
  '/APPLICATION/application_1_0001?fields=otherinfo',
  '/TEZ_VERTEX_ID/vertex_1',
  '/TEZ_TASK_ID',
  '/NONE/none?fields=events',
  '/OLD/old',
  '/domain/Tez_ATS_1',
  '/domain?owner=hive',
]

interface Target {
  readonly address: string
  readonly stop: () => Promise<void>
}

async function startTarget(target: 'tidegate' | 'real', store: string): Promise<Target> {
  if (target === 'tidegate') {
    const define = ['yarn.timeline-service.ttl-enable=false']
    const server = await startTidegate({ store, rest: 'off', thrift: 'off', timeline: 0, define })
    return { address: `127.0.0.1:${server.ports.timeline}`, stop: () => server.stop() }
  }
  const server = await startRealTimeline()
  const stop = async (): Promise<void> => {
    await server.stop()
    server.remove()
  }
  return { address: server.address, stop }
}

/** The answers to the client, and the entities that are read afterwards. */
async function transcript(address: string, folder: string): Promise<string> {
  const jars = `${timelineJars()}/*`
  mkdirSync(join(folder, 'classes'), { recursive: true })
  const source = join(sourcesOf('timeline'), `${PROGRAM}.java`)
  execFileSync('javac', ['-nowarn', '-d', join(folder, 'classes'), '-cp', jars, source], { stdio: 'ignore' })
  writeClientSettings(join(folder, 'conf'), {})
  const classPath = [join(folder, 'conf'), join(folder, 'classes'), jars]
  const { code, stdout, stderr } = await runJava({
    classPath,
    args: ['-DHADOOP_USER_NAME=hive', PROGRAM, address],
    cwd: folder,
  })
  if (code !== 0) throw new Error(`${PROGRAM} ended with ${code}:\n${stdout}${stderr.slice(-2000)}`)
  const lines = [`# TimelineClient\n${stdout}`]
  for (const path of READS) {
    const response = await fetch(`http://${address}/ws/v1/timeline${path}`)
    const text = (await response.text()).replace(/"(created|modified)time":\d+/g, '"$1time":<now>')
    lines.push(`# GET ${path}\n${response.status} ${text}\n`)
  }
  return lines.join('')
}

async function main(): Promise<void> {
  const { target, store, record, keep } = new Command('test:timeline')
    .addOption(new Option('--target <target>').choices(['tidegate', 'real']).default('tidegate'))
    .option('--store <store>', 'of Tidegate', 'memory')
    .option('--record')
    .option('--keep', 'writes the result into docs/clients')
    .parse()
    .opts<{ target: 'tidegate' | 'real'; store: string; record?: true; keep?: true }>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`timeline did not run: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-timeline-client-'))
  const server = await startTarget(target, store)
  let found: string
  try {
    found = await transcript(server.address, folder)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (record === true) {
    writeFileSync(RECORDED, found)
    return
  }
  const counts = judge(found.split('\n'), readFileSync(RECORDED, 'utf8').split('\n'))
  if (keep === true && target === 'tidegate') keepResult('timeline', { ...counts, mayDiffer: 0 })
}

function judge(
  found: readonly string[],
  wanted: readonly string[],
): { readonly passed: number; readonly failed: number } {
  const differing = Array.from({ length: Math.max(found.length, wanted.length) }, (_, i) => i).filter(
    (i) => found[i] !== wanted[i],
  )
  for (const i of differing)
    process.stdout.write(`line ${i + 1}\n  Hadoop:   ${wanted[i]}\n  answered: ${found[i]}\n`)
  const counts = { passed: wanted.length - differing.length, failed: differing.length }
  process.stdout.write(verdictLine(counts))
  process.exitCode = counts.failed === 0 ? 0 : 1
  return counts
}

await main()
