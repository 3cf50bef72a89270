import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * The folder of programs of a Python that has these packages, fetched once, below REAL_HBASE_HOME or ~/.cache/real-hbase. Another name
 * wherever other versions are asked for. `environment`: more variables for packages that are compiled.
 */
export function pythonPackages(
  name: string,
  packages: readonly string[],
  environment: () => Readonly<Record<string, string>> = () => ({}),
): string {
  const home = process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase')
  const folder = join(home, name)
  const programs = join(folder, 'bin')
  const complete = join(folder, '.complete')
  if (existsSync(complete)) return programs
  process.stderr.write(`fetching ${packages.join(', ')} (a minute, once)\n`)
  const env = { ...process.env, ...environment() }
  for (const [command, args] of [
    ['python3', ['-m', 'venv', folder]],
    [join(programs, 'python'), ['-m', 'pip', 'install', '-q', ...packages]],
  ] as const) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env })
    const said = error === undefined ? stderr.slice(-2000) : error.message
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${said}`)
  }
  writeFileSync(complete, '')
  return programs
}
