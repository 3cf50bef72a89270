/** The programs of HBase's MapReduce module, and what they print. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { runJava, writeClientSettings } from '../../test/harness/client-transcripts/java-program.ts'
import { mavenJars } from '../../test/harness/client-transcripts/maven-jars.ts'
import { sourcesOf } from '../../test/harness/client-transcripts/transcript-tool.ts'

export const HBASE: string = 'org.apache.hadoop.hbase.'
export const MAPREDUCE: string = `${HBASE}mapreduce.`
/** Counters of jobs that are the same on every server. */
const COUNTER =
  /^\s*(ROWS|CELLS|GOODROWS|BADROWS|CONTENT_DIFFERENT_ROWS|ONLY_IN_SOURCE_TABLE_ROWS|ONLY_IN_PEER_TABLE_ROWS|Map input records|Bad Lines|Total_ROWS|Total Families.*)=(\d+)$/

/** The environment of the programs, and their results. */
export class Programs {
  readonly answers: Map<string, string> = new Map<string, string>()
  readonly #folder: string
  readonly #classPath: readonly string[]

  constructor(folder: string, zookeeper: number) {
    const settings = join(folder, `conf-${zookeeper}`)
    mkdirSync(folder, { recursive: true })
    writeClientSettings(settings, {
      'hbase.zookeeper.quorum': '127.0.0.1',
      'hbase.zookeeper.property.clientPort': zookeeper,
      'hbase.fs.tmp.dir': join(folder, 'tmp'),
      // A job looks once a second whether it has ended.
      'mapreduce.client.progressmonitor.pollinterval': 100,
      'mapreduce.client.completion.pollinterval': 100,
    })
    // The counters of a job are in its log.
    const log = '\nlog4j.logger.org.apache.hadoop.mapreduce.Job=INFO\n'
    writeFileSync(join(settings, 'log4j.properties'), log, { flag: 'a' })
    this.#folder = folder
    const lib = mavenJars('mapreduce-2.6.1', join(sourcesOf('mapreduce'), 'pom.xml'))
    this.#classPath = [settings, `${lib}/*`]
  }

  async run(step: string, ...args: readonly string[]): Promise<string> {
    const begin = performance.now()
    const { code, stdout, stderr } = await runJava({ classPath: this.#classPath, args, cwd: this.#folder })
    process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(1)} s: ${step}\n`)
    const output = `${stdout}${stderr}`
    const counters = output.split('\n').flatMap((line) => {
      const [, name, count] = COUNTER.exec(line) ?? []
      return name === undefined ? [] : [`${name}=${count}`]
    })
    this.answers.set(step, [`exit code ${code}`, ...new Set(counters)].join('\n'))
    if (code !== 0) process.stdout.write(`${step} failed:\n${output.slice(-3000)}\n`)
    return output
  }
}

export async function createTable(
  { catalog }: Store,
  name: string,
  splitKeys: readonly string[] = [],
): Promise<void> {
  const families = [familyDescriptor('f'), familyDescriptor('g')]
  const keys = splitKeys.map((key) => Buffer.from(key))
  await catalog.createTable(tableDescriptor(parseTableName(name), families), keys, OWN_CALL)
}

/** The key of the cluster whose ZooKeeper has the port. */
export function clusterKey(port: number): string {
  return `127.0.0.1:${port}:/hbase`
}
