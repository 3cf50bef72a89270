/**
 * MIT's programs of Kerberos: those on the path, or else Debian's packages, unpacked into a folder of the user. Nothing is installed,
 * and root is needed at most for the system's list of packages.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const PROGRAMS = ['krb5kdc', 'kdb5_util', 'kadmin.local', 'kinit', 'klist', 'kvno', 'kdestroy'] as const
export type KerberosProgram = (typeof PROGRAMS)[number]

const DEBIAN_PACKAGES = ['krb5-kdc', 'krb5-admin-server', 'krb5-user']
/** The libraries of those packages that a machine without them lacks: libkrb5 and libgssapi are part of most systems. */
const DEBIAN_LIBRARIES = /^lib(?:kadm5srv-mit|kadm5clnt-mit|kdb5-|gssrpc|verto|verto-libev|ev)\d+(?:t64)?$/
/** Debian keeps servers where only root looks. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/lib/mit/sbin']

export interface KerberosPrograms {
  readonly paths: Readonly<Record<KerberosProgram, string>>
  /** Variables that these programs need, and no other program. */
  readonly environment: Readonly<Record<string, string>>
  /** The folder of krb5kdc's plugins for databases; undefined: it knows the folder itself. */
  readonly databasePlugins: string | undefined
  /** libfaketime, to be loaded into a program that shall see another time; undefined where the machine has none. */
  readonly fakeTime: string | undefined
}

/** Throws with the missing programs and with the reason why Debian's packages could not be had. */
export function kerberosPrograms(): KerberosPrograms {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SERVER_FOLDERS]
  const installed = pathsIn(folders)
  const root = join(process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'), 'kerberos')
  if (installed !== undefined) {
    return {
      paths: installed,
      environment: {},
      databasePlugins: undefined,
      fakeTime: fakeTimeIn('/') ?? fakeTimeIn(root),
    }
  }
  if (!existsSync(root)) unpackDebianPackages(root)
  const paths = pathsIn([join(root, 'usr/bin'), join(root, 'usr/sbin')])
  const plugins = inLibraries(root, 'krb5/plugins/kdb')
  if (paths === undefined || plugins === undefined)
    throw new Error(`${root} lacks programs of Kerberos: remove this folder, and run the command again`)
  const libraries = dirname(dirname(dirname(plugins)))
  return {
    paths,
    environment: { LD_LIBRARY_PATH: libraries },
    databasePlugins: plugins,
    fakeTime: fakeTimeIn(root),
  }
}

function pathsIn(folders: readonly string[]): KerberosPrograms['paths'] | undefined {
  const found = new Map<string, string>()
  for (const program of PROGRAMS) {
    const folder = folders.find((folder) => folder !== '' && existsSync(join(folder, program)))
    if (folder === undefined) return undefined
    found.set(program, join(folder, program))
  }
  return Object.fromEntries(found) as KerberosPrograms['paths']
}

function fakeTimeIn(root: string): string | undefined {
  return inLibraries(root, 'faketime/libfaketime.so.1')
}

/** A file in Debian's folder of libraries, which has the name of the machine's architecture. */
function inLibraries(root: string, file: string): string | undefined {
  const folder = join(root, 'usr/lib')
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .map((architecture) => join(folder, architecture, file))
    .find((path) => existsSync(path))
}

/** Unpacks into a folder beside `root` first, so that `root` is whole wherever it exists. */
function unpackDebianPackages(root: string): void {
  process.stderr.write(`unpacking Debian's packages of Kerberos into ${root} (once)\n`)
  mkdirSync(dirname(root), { recursive: true })
  const folder = mkdtempSync(`${root}-`)
  try {
    const names = debianNames()
    run('apt-get', ['download', '-qq', ...names], folder)
    const archives = readdirSync(folder).filter((name) => name.endsWith('.deb'))
    for (const archive of archives) run('dpkg', ['-x', archive, 'root'], folder)
    renameSync(join(folder, 'root'), root)
  } catch (error) {
    // Another process may have been quicker.
    if (existsSync(root)) return
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `This machine has no KDC: neither ${PROGRAMS.join(', ')} on the path, nor could Debian's packages be unpacked (${reason}). ` +
        `Install MIT Kerberos: apt-get install ${DEBIAN_PACKAGES.join(' ')}, or dnf install krb5-server krb5-workstation.`,
      { cause: error },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The packages and their libraries, whose names differ from one release of Debian to another. Reads the list of packages anew where they are unknown. */
function debianNames(): string[] {
  const wanted = [...DEBIAN_PACKAGES, 'libfaketime']
  const ask = (): string =>
    run('apt-cache', ['depends', '--recurse', '--no-recommends', '--no-suggests', ...wanted])
  let known: string
  try {
    known = ask()
  } catch {
    run('apt-get', ['update', '-qq'])
    known = ask()
  }
  const names = known.split('\n').filter((line) => DEBIAN_LIBRARIES.test(line))
  return [...new Set([...wanted, ...names])]
}

/** The text that the program writes to stdout. Throws with stderr where it fails. */
function run(program: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 26,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr.trim().split('\n').slice(-3).join(' ')}`)
  return stdout
}
