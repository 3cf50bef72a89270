import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface NativePackages {
  /** A folder with node_modules. */
  readonly modules: string
  readonly python: string
}

export function missingPython(): string[] {
  return spawnSync('python3', ['-m', 'venv', '-h'], { stdio: 'ignore' }).status === 0
    ? []
    : ['python3 with venv']
}

/**
 * Packages of npm and PyPI by the package-lock.json and requirements.txt among the sources, fetched once, below REAL_HBASE_HOME or
 * ~/.cache/real-hbase. Another name wherever the sources ask for other versions.
 */
export function nativePackages(name: string, sources: string): NativePackages {
  const home = process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase')
  const folder = join(home, name)
  const complete = join(folder, '.complete')
  const packages = { modules: folder, python: join(folder, 'python', 'bin', 'python') }
  if (existsSync(complete)) return packages
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  process.stderr.write(`fetching the packages of ${name} (half a minute, once)\n`)
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(sources, file), join(folder, file))
  fetch('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  fetch('python3', ['-m', 'venv', 'python'], folder)
  fetch(packages.python, ['-m', 'pip', 'install', '-q', '-r', join(sources, 'requirements.txt')], folder)
  writeFileSync(complete, '')
  return packages
}

function fetch(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return
  const said = error === undefined ? `${stdout}${stderr}`.slice(-2000) : error.message
  throw new Error(`${command} ${args.join(' ')} failed: ${said}`)
}
