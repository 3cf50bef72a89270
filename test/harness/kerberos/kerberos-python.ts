/**
 * Pythons whose packages log in by Kerberos. pykerberos and gssapi are compiled: with the machine's headers of MIT's library, or with those of Debian's
 * packages, unpacked into a folder of the user.
 */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pythonPackages } from '../python-packages.ts'

const DEBIAN_PACKAGES = ['krb5-multidev', 'comerr-dev']
const PACKAGES = ['happybase==1.3.0', 'thrift-sasl==0.4.3', 'pure-sasl==0.6.2', 'pykerberos==1.2.4']
const REQUESTS_PACKAGES = ['requests==2.32.3', 'requests-gssapi==1.4.0']

/** The Python program. Throws with the reason where a package cannot be had. */
export function kerberosPython(): string {
  return join(pythonPackages('kerberos-python-1', PACKAGES, environmentOfCompiler), 'python')
}

/** The Python program with requests and requests-gssapi, whose package gssapi is compiled. Throws as kerberosPython. */
export function requestsPython(): string {
  return join(pythonPackages('kerberos-requests-1', REQUESTS_PACKAGES, environmentOfCompiler), 'python')
}

/** pykerberos and gssapi ask the program krb5-config for the flags of the compiler. */
function environmentOfCompiler(): Readonly<Record<string, string>> {
  if (spawnSync('krb5-config', ['--version'], { stdio: 'ignore' }).status === 0) return {}
  const root = join(
    process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'),
    'kerberos-headers',
  )
  if (!existsSync(root)) unpackHeaders(root)
  return { PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` }
}

/** Unpacks beside `root` first, so that `root` is whole wherever it exists. */
function unpackHeaders(root: string): void {
  mkdirSync(dirname(root), { recursive: true })
  const folder = mkdtempSync(`${root}-`)
  try {
    run('apt-get', ['download', '-qq', ...DEBIAN_PACKAGES], folder)
    for (const archive of readdirSync(folder).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', archive, 'root'], folder)
    const include = join(root, 'usr/include')
    const libraries = ['gssapi_krb5.so.2', 'krb5.so.3', 'k5crypto.so.3', 'com_err.so.2']
    const lines = [
      '#!/bin/sh',
      'case "$1" in',
      '--version) echo "Kerberos 5 release 1.20" ;;',
      `--libs) echo "${libraries.map((library) => `-l:lib${library}`).join(' ')}" ;;`,
      `--cflags) echo "-I${include}/mit-krb5 -I${include}" ;;`,
      'esac',
    ]
    mkdirSync(join(folder, 'root/bin'))
    const program = join(folder, 'root/bin/krb5-config')
    writeFileSync(program, `${lines.join('\n')}\n`)
    chmodSync(program, 0o755)
    renameSync(join(folder, 'root'), root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  if (status !== 0)
    throw new Error(
      `the headers of Kerberos cannot be had (${error?.message ?? stderr.slice(-500)}): install libkrb5-dev, or krb5-devel on Red Hat`,
    )
}
