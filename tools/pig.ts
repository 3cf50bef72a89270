/**
 * Apache Pig's HBaseStorage, unchanged, on Tidegate or a real HBase: `npm run test:pig [-- --target tidegate|real] [--
 * --record]`. Needs Java and Maven, which fetches Pig 0.18.0 with HBase's clients 2.4.17, which finds its servers through
 * ZooKeeper, and 2.6.1, which finds them through a bootstrap server.
 *
 * Each step of test/clients/pig/loads-and-stores.pig loads a table into a folder, or a table from another. What came on a real
 * HBase is in recorded.txt: the rows of each map task, so that the splits are compared too.
 */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { MutationBatch } from '../src/model/mutation.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { runJava, writeClientSettings } from '../test/harness/client-transcripts/java-program.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import { tableContents } from '../test/harness/client-transcripts/table-contents.ts'
import {
  runTranscript,
  sourcesOf,
  type TranscriptServer,
} from '../test/harness/client-transcripts/transcript-tool.ts'

const SCRIPT = 'loads-and-stores.pig'
const STORED = ['pig_plain', 'pig_scheme', 'pig_maps', 'pig_binary']
const WIDE_ROWS = 30

function splits(...keys: readonly string[]): Buffer[] {
  return keys.map((key) => Buffer.from(key))
}

async function fill({ catalog, rows }: Store): Promise<void> {
  const versions = familyDescriptor('d', [['VERSIONS', '3']])
  const [times, wide] = [parseTableName('pig_times'), parseTableName('pig_wide')]
  await catalog.createTable(tableDescriptor(times, [versions]), splits('10,2', '11'), OWN_CALL)
  const families = [familyDescriptor('f'), familyDescriptor('g')]
  await catalog.createTable(tableDescriptor(wide, families), splits('r10', 'r20'), OWN_CALL)
  for (const name of STORED)
    await catalog.createTable(
      tableDescriptor(parseTableName(name), [familyDescriptor('d')]),
      splits('r15'),
      OWN_CALL,
    )
  const batch = new MutationBatch()
  const put = (row: string, family: string, qualifier: string, value: Buffer | string, at?: bigint): void => {
    const cell = [Buffer.from(row), Buffer.from(family), Buffer.from(qualifier), Buffer.from(value)] as const
    batch.put(...cell, at).endMutation()
  }
  put('10,1', 'd', 'm', 'c1', 1000n)
  put('10,1', 'd', 'm', 'c2', 2000n)
  put('10,3', 'd', 'm', 'c3', 3000n)
  put('10,4', 'd', 'm', 'c4', 4000n)
  await rows.mutate(times, batch, OWN_CALL)
  const many = new MutationBatch()
  for (let i = 0; i < WIDE_ROWS; i++) {
    const row = Buffer.from(`r${String(i).padStart(2, '0')}`)
    const number = Buffer.alloc(4)
    number.writeInt32BE(i)
    for (const qualifier of ['pa', 'pb', 'q'])
      many.put(row, Buffer.from('f'), Buffer.from(qualifier), Buffer.from(`${qualifier}${i}`))
    many.put(row, Buffer.from('g'), Buffer.from('n'), number)
    many.endMutation()
  }
  await rows.mutate(wide, many, OWN_CALL)
}

/** The rows that each task of a step wrote. */
function tasksOf(folder: string): string {
  const parts = readdirSync(folder)
    .filter((name) => name.startsWith('part-'))
    .sort()
  return parts.map((part) => `${part}:\n${readFileSync(join(folder, part), 'utf8')}`.trimEnd()).join('\n')
}

/** Pig with the HBase client of a version, and how that finds its servers. */
interface Pass {
  readonly name: string
  readonly hbase: string
  readonly settings: Readonly<Record<string, string | number>>
}

/** Pig's own HBase client does not know bootstrap servers. */
function passes({ zookeeper, rpc }: TranscriptServer): Pass[] {
  const quorum = { 'hbase.zookeeper.quorum': '127.0.0.1', 'hbase.zookeeper.property.clientPort': zookeeper }
  const bootstrap = {
    'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.RpcConnectionRegistry',
    'hbase.client.bootstrap.servers': `127.0.0.1:${rpc}`,
    'hbase.zookeeper.quorum': 'zookeeper.invalid',
  }
  return [
    { name: '', hbase: '2.4.17', settings: quorum },
    { name: 'through a bootstrap server: ', hbase: '2.6.1', settings: bootstrap },
  ]
}

async function run(server: TranscriptServer, folder: string): Promise<Map<string, string>> {
  await fill(server.store)
  const answers = new Map<string, string>()
  for (const pass of passes(server)) {
    const found = await answersOf(pass, server.store, join(folder, pass.hbase))
    for (const [step, answer] of found) answers.set(`${pass.name}${step}`, answer)
  }
  return answers
}

async function answersOf(pass: Pass, store: Store, folder: string): Promise<Map<string, string>> {
  const sources = sourcesOf('pig')
  const { hbase } = pass
  const jars = { 'hbase.version': hbase }
  const lib = mavenJars(`pig-0.18.0-hbase-${hbase}`, join(sources, 'pom.xml'), jars)
  const settings = join(folder, 'conf')
  mkdirSync(folder, { recursive: true })
  writeClientSettings(settings, pass.settings)
  copyFileSync(join(sources, SCRIPT), join(folder, SCRIPT))
  const options = ['-x', 'local', '-4', join(settings, 'log4j.properties'), '-f', SCRIPT]
  const outcome = await runJava({
    classPath: [settings, `${lib}/*`],
    args: ['org.apache.pig.Main', ...options],
    cwd: folder,
  })
  const out = join(folder, 'out')
  if (!existsSync(out)) throw new Error(`Pig did nothing:\n${outcome.stderr.slice(-3000)}`)
  const answers = new Map([['exit code', String(outcome.code)]])
  for (const step of readdirSync(out).sort()) answers.set(step, tasksOf(join(out, step)))
  for (const name of STORED) answers.set(name, await tableContents(name, store))
  if (outcome.code !== 0) process.stdout.write(outcome.stderr.slice(-4000))
  return answers
}

await runTranscript({ name: 'pig', run })
