import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'

/** Tools that a real HBase needs and that this machine lacks. */
export function missingTools(): string[] {
  return ['java', 'mvn'].filter((tool) => spawnSync(tool, ['-version'], { stdio: 'ignore' }).status !== 0)
}

/** Hadoop's old servlet stack hides the newer one that HBase's shaded Jetty needs. */
const SHADOWED =
  /^(servlet-api-2\.5|jetty-6|jetty-util-6|jetty-sslengine-6|jersey-(client|core|guice|json|server)-1)/

/**
 * The folder with HBase's jars: REAL_HBASE_HOME/lib, or ~/.cache/real-hbase/lib. Resolves them through Maven, once. `version` or
 * REAL_HBASE_VERSION names another version, which has a folder of its own and no REST and Thrift servers.
 */
export function resolveJars(version: string | undefined = process.env['REAL_HBASE_VERSION']): string {
  const home = process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase')
  const lib = join(home, version === undefined ? 'lib' : `lib-${version}`)
  const complete = join(lib, '.complete')
  if (existsSync(complete)) return lib
  mkdirSync(lib, { recursive: true })
  process.stderr.write(`resolving HBase's jars into ${lib} (a few minutes, once)\n`)
  const file = version === undefined ? 'pom.xml' : 'server-pom.xml'
  const pom = fileURLToPath(new URL(`test/harness/real-hbase/${file}`, packageRoot()))
  const chosen = version === undefined ? [] : [`-Dhbase.version=${version}`]
  const goal = ['-q', '-B', '-f', pom, ...chosen, 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`]
  const maven = spawnSync('mvn', goal, { encoding: 'utf8' })
  if (maven.status !== 0)
    throw new Error(`Maven could not resolve HBase's jars:\n${maven.stdout.slice(-2000)}`)
  for (const jar of readdirSync(lib)) if (SHADOWED.test(jar)) rmSync(join(lib, jar))
  writeFileSync(complete, '')
  return lib
}
