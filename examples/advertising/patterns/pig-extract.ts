/** The same extract with Apache Pig's HBaseStorage, unchanged, over native RPC, as a job that writes files. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { runJava, writeClientSettings } from '../../../test/harness/client-transcripts/java-program.ts'
import { mavenJars } from '../../../test/harness/client-transcripts/maven-jars.ts'
import { missingTools } from '../../../test/harness/real-hbase/jars.ts'
import type { ExampleServer } from '../../shared/example-server.ts'
import { counted } from '../../shared/report.ts'
import { CHANGED, type Changes, makeChanges } from './changes.ts'
import type { Pattern } from './pattern.ts'

const SCRIPT = fileURLToPath(new URL('examples/advertising/delta-extract.pig', packageRoot()))
const POM = fileURLToPath(new URL('test/clients/pig/pom.xml', packageRoot()))
/** Pig's own client, which finds its servers through ZooKeeper. */
const HBASE_VERSION = '2.4.17'

export const pigExtract: Pattern = {
  question: 'Which ads have changed in an hour? Asked by Pig',
  onlyByName: true,
  run: async (loaded) => {
    const { server, report } = loaded
    const missing = missingTools()
    if (missing.length > 0)
      return report.say(`Pig did not run: this machine has no ${missing.join(' and no ')}`)
    const changes = await makeChanges(loaded)
    const lines = await report.timed(
      ({ length }) => `${counted(length, 'row')} by Pig 0.18.0`,
      () => extracted(server, changes),
    )
    report.some(lines, 5)
    const keys = lines.map((line) => line.slice(0, line.indexOf('\t')))
    report.check('the rows that the scan over REST has, too', keys, CHANGED)
  },
}

/** Key and object of each row, with a tab between. */
async function extracted({ host, ports }: ExampleServer, { from, to }: Changes): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-pig-'))
  try {
    const settings = join(folder, 'conf')
    writeClientSettings(settings, {
      'hbase.zookeeper.quorum': host,
      'hbase.zookeeper.property.clientPort': ports.zookeeper,
    })
    const jars = mavenJars(`pig-0.18.0-hbase-${HBASE_VERSION}`, POM, { 'hbase.version': HBASE_VERSION })
    const logging = ['-4', join(settings, 'log4j.properties')]
    const parameters = ['-param', `FROM=${from}`, '-param', `TO=${to}`]
    const { code, stderr } = await runJava({
      classPath: [settings, `${jars}/*`],
      args: ['org.apache.pig.Main', '-x', 'local', ...logging, ...parameters, '-f', SCRIPT],
      cwd: folder,
    })
    if (code !== 0) throw new Error(`Pig ended with ${code}:\n${stderr.slice(-2000)}`)
    const parts = readdirSync(join(folder, 'delta')).filter((name) => name.startsWith('part-'))
    const texts = parts.sort().map((name) => readFileSync(join(folder, 'delta', name), 'utf8'))
    return texts.join('').split('\n').filter(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
