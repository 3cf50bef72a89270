import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * The folder with the jars of a client's pom.xml, fetched once, below REAL_HBASE_HOME or ~/.cache/real-hbase. `name` names it
 * there: another name wherever the pom, or properties that replace some of its own, ask for other versions.
 */
export function mavenJars(
  name: string,
  pom: string,
  properties: Readonly<Record<string, string>> = {},
): string {
  const lib = join(process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'), name)
  const complete = join(lib, '.complete')
  if (existsSync(complete)) return lib
  rmSync(lib, { recursive: true, force: true })
  mkdirSync(lib, { recursive: true })
  process.stderr.write(`fetching the jars of ${name} (a minute or two, once)\n`)
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${lib}`]
  const replaced = Object.entries(properties).map(([key, value]) => `-D${key}=${value}`)
  const maven = spawnSync('mvn', ['-q', '-B', '-f', pom, ...replaced, ...goal], { encoding: 'utf8' })
  if (maven.status !== 0)
    throw new Error(`Maven could not fetch the jars of ${name}:\n${maven.stdout.slice(-2000)}`)
  writeFileSync(complete, '')
  return lib
}
