/** HBase's own Java client with Kerberos, as a program whose steps are lines: test/clients/java-kerberos/KerberosClient.java. */

import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { type JavaOutcome, runJava, writeClientSettings } from '../client-transcripts/java-program.ts'
import { resolveJars } from '../real-hbase/jars.ts'
import { kerberosJavaOptions } from './java-options.ts'
import type { KerberosRealm } from './kerberos-realm.ts'

const PROGRAM = fileURLToPath(new URL('test/clients/java-kerberos/KerberosClient.java', packageRoot()))

/** A login by a keytab, by the tickets of a cache, or by a file of delegation tokens. */
export type ClientLogin =
  | { readonly principal: string; readonly keytab: string }
  | { readonly cache: string }
  | { readonly tokens: string }

export interface ClientRun {
  readonly login: ClientLogin
  /** Of hbase-site.xml: securedClientSettings, and others. */
  readonly settings: Readonly<Record<string, string | number>>
  /** As KerberosClient.java lists them. */
  readonly steps: readonly string[]
  /** HBase's release; default: 2.6.1. */
  readonly version?: string
}

/** Answers a line for each step, `ok ...` or `EXCEPTION: ...`. Rejects with the program's log where it fails as a whole. */
export async function runKerberosClient(realm: KerberosRealm, run: ClientRun): Promise<string[]> {
  const { login, steps, version } = run
  const credentials = 'keytab' in login ? [login.principal, login.keytab] : []
  const { code, stdout, stderr } = await runKerberosJava(realm, {
    settings: run.settings,
    jars: resolveJars(version),
    args: [PROGRAM, ...credentials],
    environment: variablesOf(login),
    input: `${steps.join('\n')}\n`,
  })
  const answers = stdout.trimEnd().split('\n')
  if (code !== 0 || answers.length !== steps.length)
    throw new Error(`the Java client ended with ${code}:\n${stdout}\n${stderr.slice(-3000)}`)
  return answers
}

export interface KerberosJava {
  /** Of hbase-site.xml. */
  readonly settings: Readonly<Record<string, string | number>>
  /** A folder of jars. */
  readonly jars: string
  /** The class or the source file, and its arguments. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly input?: string
}

/** Any Java program with the realm's tickets, in a folder of its own. */
export async function runKerberosJava(realm: KerberosRealm, program: KerberosJava): Promise<JavaOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'kerberos-java-'))
  try {
    // Hadoop's classes do not read HBase's file.
    writeClientSettings(folder, program.settings)
    copyFileSync(join(folder, 'hbase-site.xml'), join(folder, 'core-site.xml'))
    // The counters of a job are in its log.
    appendFileSync(join(folder, 'log4j.properties'), '\nlog4j.logger.org.apache.hadoop.mapreduce.Job=INFO\n')
    return await runJava({
      classPath: [folder, `${program.jars}/*`],
      args: [...kerberosJavaOptions(realm), ...program.args],
      cwd: folder,
      environment: { ...realm.environment, ...program.environment },
      input: program.input ?? '',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function variablesOf(login: ClientLogin): Readonly<Record<string, string>> {
  if ('cache' in login) return { KRB5CCNAME: login.cache }
  // A task of a job has no tickets.
  return 'tokens' in login ? { KRB5CCNAME: '/no-tickets', HADOOP_TOKEN_FILE_LOCATION: login.tokens } : {}
}
