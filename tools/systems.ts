/**
 * Systems that keep their data in HBase, unchanged, on Tidegate or a real HBase: `npm run test:systems [-- --target
 * tidegate|proxy|real] [-- --only PART...] [-- --record]`. Needs Java and Maven, which fetches a gigabyte of jars once.
 *
 * A part is a folder of test/clients/systems: what Maven fetches, a program that uses the system, and its resource files. The
 * part `versions` runs one program with each of HBase's Java clients from 1.1 to 3.0, `registries` with those that ask a master or a bootstrap
 * server instead of ZooKeeper. What came on a real HBase is in recorded.txt.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { addAnswer } from '../test/harness/client-transcripts/compare-answers.ts'
import { runJava, writeClientSettings } from '../test/harness/client-transcripts/java-program.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import {
  runTranscript,
  sourcesOf,
  type TranscriptServer,
} from '../test/harness/client-transcripts/transcript-tool.ts'

interface System {
  readonly program: string
  /** Families of the table that is made for it, with attributes. */
  readonly families: Readonly<Record<string, readonly (readonly [string, string])[]>>
}

/** Omid asks for cells of all times: what it must not see it passes over itself. */
const ALL_VERSIONS = [['VERSIONS', '2147483647']] as const
const SYSTEMS: Readonly<Record<string, System>> = {
  beam: { program: 'BeamRun', families: { f: [] } },
  flink: { program: 'FlinkRun', families: { i: [], n: [] } },
  gora: { program: 'GoraRun', families: {} },
  janusgraph: { program: 'JanusGraphRun', families: {} },
  omid: { program: 'OmidRun', families: { f: ALL_VERSIONS } },
  spark: { program: 'SparkRun', families: { f: [], g: [] } },
}
const VERSIONS = [
  '1.1.13',
  '1.2.12',
  '1.3.6',
  '1.4.14',
  '1.7.2',
  '2.0.6',
  '2.2.7',
  '2.4.17',
  '2.5.10',
  '2.6.1',
  '3.0.0-beta-1',
]
/** A client 3 asks a bootstrap server or a master by default. */
const BY_ZOOKEEPER = 'org.apache.hadoop.hbase.client.ZKConnectionRegistry'

/** A port where nothing listens. */
const NO_PORT = 1

type Settings = Readonly<Record<string, string | number>>

interface Registry {
  readonly name: string
  readonly version: string
  /** The class of the client's registry; undefined: the one of its release. */
  readonly registry?: string
  readonly settings: (server: TranscriptServer) => Settings
}

const CLIENT = 'org.apache.hadoop.hbase.client.'
/** How clients find a cluster without ZooKeeper. A client 3 without a setting asks the port of the master. */
const REGISTRIES: readonly Registry[] = [
  {
    name: '2.6.1 by masters',
    version: '2.6.1',
    registry: `${CLIENT}MasterRegistry`,
    settings: ({ master }) => ({ 'hbase.masters': `127.0.0.1:${master}` }),
  },
  {
    name: '2.6.1 by bootstrap servers',
    version: '2.6.1',
    registry: `${CLIENT}RpcConnectionRegistry`,
    settings: ({ rpc }) => ({ 'hbase.client.bootstrap.servers': `127.0.0.1:${rpc}` }),
  },
  {
    name: '3.0.0-beta-1 by itself',
    version: '3.0.0-beta-1',
    settings: ({ master }) => ({ 'hbase.master.hostname': '127.0.0.1', 'hbase.master.port': master }),
  },
  {
    name: '3.0.0-beta-1 by bootstrap servers',
    version: '3.0.0-beta-1',
    settings: ({ rpc }) => ({ 'hbase.client.bootstrap.servers': `127.0.0.1:${rpc}` }),
  },
]

async function createTable({ catalog }: Store, name: string, families: System['families']): Promise<void> {
  const described = Object.entries(families).map(([family, attributes]) =>
    familyDescriptor(family, attributes),
  )
  if (described.length === 0) return
  await catalog.createTable(tableDescriptor(parseTableName(name), described), [], OWN_CALL)
}

function compile(folder: string, lib: string, source: string): void {
  const args = ['-nowarn', '-d', folder, '-cp', `${lib}/*`, source]
  const { status, stderr } = spawnSync('javac', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`javac could not compile ${source}:\n${stderr.slice(-2000)}`)
}

interface Program {
  /** Of test/clients/systems. */
  readonly part: string
  readonly name: string
  readonly lib: string
  readonly folder: string
  readonly args: readonly string[]
  /** Of the client, instead of where ZooKeeper is. */
  readonly settings?: Settings
}

/** The program's lines, by step. */
async function answersOf(program: Program, zookeeper: number): Promise<Map<string, string>> {
  const { part, name, lib, folder, args, settings } = program
  const sources = join(sourcesOf('systems'), part)
  mkdirSync(folder, { recursive: true })
  compile(folder, lib, join(sources, `${name}.java`))
  writeClientSettings(folder, {
    ...(settings ?? {
      'hbase.zookeeper.quorum': '127.0.0.1',
      'hbase.zookeeper.property.clientPort': zookeeper,
    }),
    'hbase.client.retries.number': 5,
  })
  const classPath = [folder, sources, `${lib}/*`]
  const outcome = await runJava({
    classPath,
    args: ['-Xmx900m', name, `127.0.0.1:${zookeeper}`, ...args],
    cwd: folder,
  })
  const answers = new Map<string, string>()
  for (const line of outcome.stdout.split('\n')) {
    const [, step, answer] = /^(.+?): (.*)$/.exec(line) ?? []
    if (step !== undefined) addAnswer(answers, step, answer!)
  }
  answers.set('exit code', String(outcome.code))
  if (outcome.code !== 0) process.stdout.write(outcome.stderr.slice(-3000))
  return answers
}

async function runSystem(
  part: string,
  server: TranscriptServer,
  folder: string,
): Promise<Map<string, string>> {
  const { program: name, families } = SYSTEMS[part]!
  await createTable(server.store, `systems_${part}`, families)
  const lib = mavenJars(`systems-${part}`, join(sourcesOf('systems'), part, 'pom.xml'))
  return answersOf({ part, name, lib, folder: join(folder, part), args: [] }, server.zookeeper)
}

async function runVersion(
  version: string,
  server: TranscriptServer,
  folder: string,
): Promise<Map<string, string>> {
  const table = `systems_client_${version}`
  await createTable(server.store, table, { f: [], g: [] })
  const pom = join(sourcesOf('systems'), 'versions', 'pom.xml')
  const lib = mavenJars(`systems-client-${version}`, pom, { 'hbase.version': version })
  const args = version.startsWith('3') ? [table, BY_ZOOKEEPER] : [table]
  const program = { part: 'versions', name: 'VersionsRun', lib, folder: join(folder, version), args }
  return answersOf(program, server.zookeeper)
}

/** ZooKeeper is where nothing listens: a client that asks it fails. */
async function runRegistry(
  { name, version, registry, settings }: Registry,
  server: TranscriptServer,
  folder: string,
): Promise<Map<string, string>> {
  const table = `systems_registry_${name.replaceAll(' ', '_')}`
  await createTable(server.store, table, { f: [], g: [] })
  const pom = join(sourcesOf('systems'), 'versions', 'pom.xml')
  const lib = mavenJars(`systems-client-${version}`, pom, { 'hbase.version': version })
  const args = registry === undefined ? [table] : [table, registry]
  const of = { part: 'versions', name: 'VersionsRun', lib, folder: join(folder, name), args }
  return answersOf({ ...of, settings: settings(server) }, NO_PORT)
}

async function run(
  server: TranscriptServer,
  folder: string,
  parts: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  const keep = (part: string, answers: ReadonlyMap<string, string>): void => {
    for (const [step, answer] of answers) all.set(`${part}: ${step}`, answer)
    process.stdout.write(`${part}: ${answers.size} steps\n`)
  }
  for (const part of parts) {
    if (part === 'registries')
      for (const each of REGISTRIES) keep(`client ${each.name}`, await runRegistry(each, server, folder))
    else if (part !== 'versions') keep(part, await runSystem(part, server, folder))
    else for (const version of VERSIONS) keep(`client ${version}`, await runVersion(version, server, folder))
  }
  return all
}

await runTranscript({ name: 'systems', parts: [...Object.keys(SYSTEMS), 'versions', 'registries'], run })
